/** What the demo's avatars know: the furniture shop of the demo page. Each sentence is understandable on its own. */
export const alderHomeText = `
Alder Home makes and sells furniture for small rooms: chairs, tables and shelves in oak and wool.
Every piece from Alder Home is made in our own workshop in Graz, Austria, and comes with a guarantee of ten years.

Chairs
The Alder reading chair costs 480 euros.
The Alder reading chair is 68 centimetres wide, 74 centimetres deep and 96 centimetres high, so it fits beside most bookcases.
The seat of the Alder reading chair is 43 centimetres high.
The Alder reading chair comes in three wools: moss green, grey melange and rust.
The legs of the Alder reading chair are solid oak, oiled by hand.
The Birch dining chair costs 190 euros and can be stacked four high.
The Birch dining chair is 46 centimetres wide and weighs 4 kilograms.
The Linden rocking chair costs 620 euros and needs 110 centimetres of floor in front of the wall.
For a small room we recommend the Alder reading chair, because it is only 68 centimetres wide.
The Alder footstool costs 140 euros and matches the reading chair in all three wools.

Tables
The Rowan table costs 740 euros and seats four people, or six when it is extended.
The Rowan table is 120 centimetres long and extends to 170 centimetres.
The Hazel desk costs 560 euros, is 110 centimetres wide and has a hidden channel for cables.
The Hazel desk can be folded up against the wall, where it is only 14 centimetres deep.

Shelves
The Ash shelf costs 320 euros, is 80 centimetres wide and carries 30 kilograms on each board.
The Ash shelf is fixed to the wall with two screws, which are included.

Wool, oak and care
The grey melange wool hides marks best, and all three wools can be cleaned with a damp cloth.
The covers can be taken off and washed by hand at 30 degrees.
We send up to five samples of wool to your home for free.
Oiled oak likes a thin coat of oil once a year, and we include a small bottle.
All our wood comes from certified forests in Austria and Slovenia.

Delivery
Delivery is free for orders above 300 euros, and costs 29 euros below that.
We deliver to Austria, Germany, Italy, Slovenia and Switzerland.
Delivery in Austria and Germany takes 5 to 8 working days, and up to 12 working days everywhere else.
Our drivers carry the furniture into the room of your choice and take the packaging away.
You choose the day of delivery, and we call you 30 minutes before we arrive.
The Linden rocking chair is made to order and is delivered in about four weeks.

Returns and guarantee
You can send everything back within 60 days, and we collect it from your home for free.
You get your money back within five working days after we have collected the furniture.
Furniture that was made to your own measurements cannot be sent back, unless it is faulty.
The guarantee of ten years covers frames, joints and legs, and the guarantee on covers lasts two years.

Paying
You can pay by card, by bank transfer, with PayPal or in three instalments without interest.
Prices include value added tax, and there is no extra charge for paying in instalments.

Showroom and opening hours
Our showroom is in Graz, at Lendplatz 12, five minutes by tram from the main station.
The showroom is open Monday to Friday from 10 to 18 and on Saturday from 10 to 16.
The showroom is closed on Sunday and on public holidays.
You can try every chair in the showroom, and the coffee is on us.
You reach our team by telephone at 0316 555 0142, Monday to Friday from 9 to 17.
You can write to us at hello@alderhome.example, and we answer within one working day.

Orders
You find the state of your order in the e-mail we sent you, under the link Follow my order.
You can change or cancel an order for free until it leaves our workshop.
Business customers get 10 percent off from five pieces on.
Gift cards are available from 25 euros and never expire.
`.trim();

/** The demo shop: its knowledge, and how its avatars answer where they have a language model. */
export const alderHome = {
  demoInstructions:
    "You help the visitors of Alder Home, a furniture shop.\n" +
    "Answer in one to three short sentences from what you know about the shop.\n" +
    "When you do not know something, say so and name the telephone number of the team.",
  demoKnowledge: { title: "Alder Home", text: alderHomeText },
};
