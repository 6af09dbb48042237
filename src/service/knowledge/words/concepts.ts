import { type TextLanguage, type Token, tokensOf } from "./tokens.ts";

/*
 * What visitors of any organization ask about, in five languages (en | de | es | fr | ko), so that a question and a text that share no
 * word still meet: "What will it set me back?" and a price. General ideas only: no list of the goods or services of a trade. A `~`
 * marks a word that often means something else. Korean words are found anywhere in a text.
 */
const visitorConcepts = `
price = price,cost,costs,how much,expensive,cheap,fee,fees,charge,charges,rate,rates,tariff,pricing,affordable,pay,euros,dollars,pounds,~worth | preis,kosten,kostet,teuer,billig,günstig,wie viel,wieviel,gebühr,tarif,entgelt,verlangt,~euro,preisliste | precio,cuesta,cuestan,costar,cuánto vale,cuánto,tarifa,caro,barato,coste,vale,cobran,cobra | prix,coûte,coûtent,combien,tarif,cher,coût,payant,frais,facturez,~euros | 가격,얼마,비용,요금,값,금액,비싸,저렴,원
free = free,free of charge,no charge,complimentary,at no cost,included,gratis,without charge,no extra cost | kostenlos,gratis,umsonst,inklusive,inbegriffen,kostenfrei,enthalten | gratis,gratuito,gratuita,incluido,incluida,sin coste,sin cargo,sin costo | gratuit,gratuite,inclus,incluse,compris,offert,sans frais | 무료,공짜,포함
hours = open,opening,hours,opening hours,close,closed,closes,shut,opening times,business hours,what time,when are you,o'clock | öffnungszeiten,geöffnet,offen,auf,öffnet,öffnen,schließt,schließen,geschlossen,zu haben,uhr,~macht ihr auf | horario,abierto,abre,abren,cierra,cierran,cerrado,apertura,abierta,~horas | horaires,ouvert,ouvre,ouvrez,ouverture,ferme,fermez,fermé,ouverts,fermeture,~heures | 영업,운영,~시간,몇 시,몇시,열어,열,닫,문,휴무,오픈,마감
place = where,address,located,location,find you,directions,get there,get to you,reach you,street,map,near,route,situated,road | wo,adresse,anfahrt,standort,finde ich euch,finden,weg,straße,liegt,befindet,lage,hinkommen | dónde,dirección,ubicación,ubicado,llegar,calle,queda,están,encuentra,situado,avenida,plaza | où,adresse,situé,trouver,rue,venir,accès,plan,emplacement,trouve,avenue | 어디,주소,위치,찾아가,오시는 길,길,거리
contact = contact,phone,telephone,call,email,e-mail,mail,reach,get in touch,number,ring,whatsapp,write to,hotline,message | kontakt,telefon,anrufen,anruf,e-mail,email,mail,erreichen,nummer,telefonnummer,melden,rufen | contacto,teléfono,llamar,correo,email,número,contactar,whatsapp,llame,escribir | contact,téléphone,appeler,courriel,e-mail,email,joindre,numéro,contacter,appelez,mail | 연락,전화,이메일,메일,번호,문의,카카오톡
payment = pay,payment,card,credit card,cash,visa,mastercard,paypal,debit,apple pay,google pay,invoice,bank transfer,contactless,cheque,twint,ec | bezahlen,zahlen,zahlung,karte,kreditkarte,bar,bargeld,rechnung,überweisung,ec-karte,bankomat,paypal,visa,girocard | pagar,pago,tarjeta,efectivo,transferencia,visa,bizum,paypal,factura | payer,paiement,carte,espèces,virement,chèque,visa,carte bancaire,règlement,régler,liquide,paypal | 결제,카드,현금,지불,계좌,이체,송금,페이,돈,계산
instalment = instalment,instalments,installments,monthly payments,spread the cost,pay later,rates,monthly | raten,ratenzahlung,monatsraten,teilzahlung,monatlich | plazos,cuotas,mensualidades,mensual | mensualités,plusieurs fois,échelonner,mensuel | 할부,분할
deposit = deposit,down payment,hold money,security,prepayment,advance,blocked,bond | kaution,anzahlung,pfand,hinterlegen,vorauszahlung,hinterlegung | depósito,fianza,señal,anticipo,garantía | caution,acompte,dépôt,arrhes | 보증금,예치금,선금,계약금
discount = discount,discounts,reduction,reduced,cheaper,offer,offers,deal,deals,sale,coupon,voucher,promo,special,percent off,concession,loyalty,loyal,regulars,save | rabatt,ermäßigung,ermäßigt,nachlass,angebot,aktion,gutschein,billiger,treue,stammkunden,kundenkarte,vergünstigung,sparen,prozent | descuento,rebaja,oferta,promoción,reducido,cupón,fidelidad,ahorrar | réduction,remise,promotion,rabais,réduit,promo,fidélité,bon | 할인,쿠폰,혜택,적립,이벤트,싸게,싼,깎아
giftcard = gift,gift card,gift voucher,present,voucher,gift certificate | gutschein,geschenk,geschenkgutschein,schenken | regalo,tarjeta regalo,bono,vale regalo,regalar | cadeau,carte cadeau,bon cadeau,chèque-cadeau,offrir | 선물,상품권,기프트
delivery = deliver,delivery,deliveries,ship,shipping,shipped,shipment,dispatch,courier,send,sent,arrive,bring it,home delivery,post,mailed,parcel,postage | liefern,lieferung,liefert,versand,versenden,zustellung,schicken,paket,bringt,bringen,nach hause,porto,geliefert,verschicken | entrega,entregar,envío,enviar,envían,reparto,domicilio,mandar,llevan,paquete,llega | livraison,livrer,livrez,expédition,envoyer,colis,envoi,expédier,domicile,port | 배송,배달,택배,발송,보내,도착
abroad = abroad,international,overseas,country,countries,foreign,europe,worldwide,other country,france,germany,italy,spain,switzerland,usa | ausland,international,land,länder,europa,weltweit | extranjero,internacional,país,países,europa | étranger,international,pays,europe | 해외,국제,외국
returns = return,returns,give back,send back,bring back,refund,money back,exchange,swap,change my mind,unwanted,don't like it,reimburse,reimbursed | rückgabe,zurückgeben,umtausch,umtauschen,erstattung,zurückschicken,zurück,geld zurück,retoure,widerruf,rückerstattung,nicht gefällt | devolución,devolver,reembolso,cambio,cambiar,reintegro,dinero de vuelta | retour,retourner,remboursement,échanger,échange,rembourser,rendre,renvoyer | 반품,환불,교환,돌려
cancel = cancel,cancellation,cancelled,call off,call it off,can't make it,cannot come,can't come,not come,reschedule,postpone,change my booking,move my appointment,miss,missed,no-show,unable to attend | stornieren,stornierung,absagen,absage,kündigen,verschieben,nicht kommen,verhindert,umbuchen,storno,abmelden | cancelar,cancelación,anular,anulación,aplazar,no puedo ir,cambiar la cita,cancela | annuler,annulation,reporter,décaler,désister,empêchement,annulé,décommander | 취소,변경,미루,연기,못 가
terminate = terminate,end my contract,quit,notice period,notice,leave,membership end,give notice | kündigen,kündigung,kündigungsfrist,vertrag,laufzeit,austreten | darse de baja,baja,rescindir,contrato | résilier,résiliation,contrat,préavis,quitter | 해지,탈퇴,계약
booking = book,booking,reserve,reservation,appointment,slot,schedule,sign up,register,registration,enrol,enroll,enrolment,make an appointment,arrange,advance,beforehand,walk in,ahead | buchen,buchung,reservieren,reservierung,termin,anmelden,anmeldung,vorbestellen,vereinbaren,voranmeldung,vorher,im voraus | reservar,reserva,cita,inscribirse,inscripción,apuntar,matrícula,turno,antelación,previa | réserver,réservation,rendez-vous,inscrire,inscription,rdv,créneau,avance | 예약,신청,등록,접수,예매
order = order,ordering,buy,purchase,get hold of,obtain,acquire | bestellen,bestellung,kaufen,kauf,erwerben,einkaufen | pedir,pedido,comprar,compra,encargar,encargo | commander,commande,acheter,achat | 주문,구매,구입,사
parking = park,parking,car park,car,garage,parking space,leave my car,drive,vehicle,parked | parken,parkplatz,parkplätze,auto,parkhaus,garage,parkgebühr,tiefgarage,stellplatz,wagen | aparcar,aparcamiento,coche,parking,estacionamiento,estacionar,garaje,plaza,carro,auto | parking,stationnement,garer,voiture,stationner,garage,place | 주차,차,자동차,세울,세워
transit = bus,train,tram,metro,subway,underground,station,stop,public transport,airport,taxi,shuttle,transfer | bus,bahn,zug,straßenbahn,u-bahn,bahnhof,haltestelle,öffentlich,flughafen,öffis,taxi,shuttle,linie | autobús,tren,metro,tranvía,estación,parada,transporte,aeropuerto,traslado,taxi,bus,línea | bus,train,métro,tram,gare,arrêt,transports,aéroport,navette,taxi,ligne | 버스,지하철,기차,역,정류장,공항,대중교통,택시,셔틀,호선
language = language,languages,speak,english,german,french,spanish,italian,turkish,korean,translate,translation,foreign language | sprache,sprachen,sprechen,englisch,deutsch,französisch,spanisch,türkisch,italienisch | idioma,idiomas,hablan,inglés,alemán,francés,español,lengua,habla | langue,langues,parlez,anglais,allemand,français,espagnol,parle | 언어,영어,외국어,말,중국어,일본어
access = accessible,accessibility,wheelchair,disabled,disability,step-free,lift,elevator,stairs,steps,ramp,mobility,barrier-free,walker,crutches,handicapped,climb | barrierefrei,rollstuhl,behindert,aufzug,lift,treppe,stufen,rampe,gehbehindert,stufenlos,rollator,behinderung,treppen | accesible,silla de ruedas,discapacidad,ascensor,escaleras,rampa,movilidad,minusválido,adaptado,escalones | accessible,fauteuil roulant,handicap,handicapé,ascenseur,escalier,rampe,mobilité,marches,pmr | 휠체어,장애,엘리베이터,계단,경사로
children = child,children,kid,kids,baby,babies,toddler,toddlers,infant,son,daughter,family,families,young,little ones,boy,girl,teenager,minors,under,boys,girls,school age | kind,kinder,baby,kleinkind,familie,sohn,tochter,junge,mädchen,jugendliche,säugling,kids,kleinen,jahre | niño,niños,niña,bebé,hijo,hija,hijos,familia,familiar,pequeños,menores,crío | enfant,enfants,bébé,fils,fille,famille,petits,gosse,jeune,ado,mineurs | 아이,어린이,아기,유아,꼬마,애들,자녀,아들,딸,가족,키즈,청소년
age = age,old,years old,minimum age,adult,adults,aged,minor,how old,years | alter,alt,jahre,mindestalter,erwachsene,volljährig | edad,años,mínima,adulto,mayores | âge,ans,minimum,adulte,majeur | 나이,살,세,연령,성인
senior = senior,seniors,pensioner,pensioners,elderly,retired,grandmother,grandfather,grandma,over 65 | senior,senioren,rentner,oma,opa,großmutter,ältere,pensionist | jubilado,jubilados,mayores,tercera edad,abuela,abuelo,pensionista | senior,seniors,retraité,âgé,grand-mère,grand-père | 노인,어르신,경로,할머니,할아버지
student = student,students,pupil,university,college,apprentice | student,studenten,studierende,schüler,azubi | estudiante,estudiantes,universidad,alumno | étudiant,étudiants,élève,université | 학생,대학생
pet = pet,pets,dog,dogs,cat,cats,animal,animals,puppy,four-legged,furry | haustier,haustiere,hund,hunde,katze,tier,tiere,vierbeiner,welpe | mascota,mascotas,perro,perros,gato,animal,animales | animal,animaux,chien,chiens,chat,compagnie | 반려동물,애완동물,강아지,개,고양이,동물,반려견
wifi = wifi,wi-fi,internet,wlan,online access,connection,network,wireless | wlan,wifi,internet,netz | wifi,internet,conexión,red | wifi,wi-fi,internet,connexion,réseau | 와이파이,인터넷,무선
food = food,eat,meal,meals,lunch,dinner,breakfast,restaurant,snack,snacks,menu,dish,dishes,kitchen,cafe,catering,hungry | essen,mahlzeit,mittagessen,abendessen,frühstück,restaurant,snack,speisekarte,küche,gericht,imbiss,speisen,verpflegung,hunger | comida,comer,almuerzo,cena,desayuno,restaurante,menú,plato,cocina,cenar,desayunar,bocadillo | repas,manger,déjeuner,dîner,petit-déjeuner,restaurant,menu,plat,cuisine,nourriture,goûter | 음식,식사,점심,저녁,아침,조식,메뉴,식당,먹
drink = drink,drinks,beverage,water,coffee,tea,beer,wine,juice,alcohol,alcoholic,thirsty | getränk,getränke,trinken,wasser,kaffee,tee,bier,wein,saft,alkohol | bebida,beber,agua,café,té,cerveza,vino,zumo,alcohol | boisson,boire,eau,café,thé,bière,vin,jus,alcool | 음료,마시,물,커피,차,맥주,와인,술
vegan = vegan,vegetarian,plant-based,meat-free,meat,veggie | vegan,vegetarisch,fleisch,pflanzlich,vegetarier | vegano,vegetariano,carne,vegetariana,vegana | végétarien,végan,végétalien,viande,végétarienne | 채식,비건,고기
allergy = allergy,allergies,allergic,gluten,lactose,intolerance,intolerant,nuts,coeliac,celiac,dairy,allergen,wheat,milk | allergie,allergisch,gluten,laktose,unverträglichkeit,nüsse,vertrage,glutenfrei,laktosefrei,milch,weizen,zöliakie | alergia,alérgico,gluten,lactosa,intolerancia,frutos secos,celíaco,leche,trigo | allergie,allergique,gluten,lactose,intolérance,noix,lait,blé,coeliaque | 알레르기,글루텐,유당,견과,우유,밀
warranty = warranty,guarantee,guaranteed,broken,defect,defective,faulty,breaks | garantie,gewährleistung,defekt,kaputt,mangel | garantía,garantizado,defecto,defectuoso,roto | garantie,garanti,défaut,défectueux,panne,cassé | 보증,품질보증,고장,불량
repair = repair,fix,fixed,broken,mend,service,maintenance,repairs,damage,damaged,breakdown,restore,replacement | reparieren,reparatur,kaputt,defekt,wartung,schaden,panne,instandsetzung,beschädigt,ersatz | reparar,reparación,arreglar,roto,avería,mantenimiento,daño,averiado | réparer,réparation,cassé,panne,entretien,dommage,abîmé,dépannage | 수리,고장,고치,파손,정비,수선
insurance = insurance,insured,insurer,cover,covered,coverage,health plan,liability,policy,claim | versicherung,versichert,krankenkasse,kasse,gedeckt,haftung | seguro,asegurado,cobertura,cubre,cubierto,mutua | assurance,assuré,couvert,mutuelle,couvre,prise en charge,remboursé | 보험,보장
theft = theft,steal,steals,stolen,lost,lose,rob,robbed,thief,missing,robbery | diebstahl,gestohlen,klauen,verloren,verlieren,verlust,geklaut,dieb | robo,robar,roban,perdido,perder,pérdida,hurto,ladrón | vol,volé,voler,perdu,perdre,perte | 도난,분실,잃어,훔
lostfound = lost property,lost and found,left behind,forgot,forgotten,left my | fundsachen,fundbüro,vergessen,liegen gelassen | objetos perdidos,olvidado,olvidé | objets trouvés,oublié,perdu | 분실물,두고
safety = safe,safety,dangerous,risk,security,secure,accident,emergency,danger,injury | sicher,sicherheit,gefährlich,risiko,unfall,notfall,gefahr | seguro,seguridad,peligroso,riesgo,accidente,emergencia | sûr,sécurité,dangereux,risque,accident,urgence | 안전,위험,사고,응급
emergency = emergency,urgent,urgently,right away,immediately,acute,at once,same day,today,pain,hurts,hurt,ache,quick help | notfall,dringend,sofort,akut,schmerzen,schmerz,weh,notdienst,gleich,bereitschaft | urgencia,urgente,emergencia,inmediato,dolor,duele | urgence,urgent,immédiat,douleur,mal,tout de suite | 응급,긴급,급,통증,아프,아파
id = id,identity card,passport,identification,licence,license,driving licence,document,documents,papers,proof,certificate | ausweis,pass,personalausweis,reisepass,führerschein,dokument,nachweis,papiere,unterlagen | dni,pasaporte,identidad,carné,documento,documentación,identificación,licencia,permiso | identité,passeport,pièce,permis,document,papiers,justificatif,carte d'identité | 신분증,여권,면허증,서류,증명
bring = bring,take along,need to bring,wear,equipment,gear,carry,pack,clothes,clothing,outfit,shoes,dress | mitbringen,mitnehmen,brauche,anziehen,ausrüstung,kleidung,schuhe,tragen,outfit | traer,llevar,ropa,equipo,zapatos,necesito,calzado,material | apporter,emporter,porter,vêtements,équipement,chaussures,tenue,amener,matériel | 준비물,가져,지참,복장,옷,신발,챙기
rental = rent,rental,hire,borrow,lend,loan,renting,lease | mieten,miete,leihen,ausleihen,verleih,vermieten,mietpreis,leihgebühr | alquilar,alquiler,prestar,préstamo,arrendar | louer,location,prêter,emprunter,prêt | 대여,렌탈,빌리,임대
duration = how long,how soon,how fast,how quickly,duration,take,takes,last,lasts,long,length of time,minutes,weeks,turnaround,ready,finished,within,by when | wie lange,dauer,dauert,dauern,minuten,wochen,fertig,innerhalb,lang | cuánto tiempo,duración,dura,tarda,tardan,minutos,semanas,listo,plazo,tiempo | combien de temps,durée,dure,délai,minutes,semaines,prêt,temps | 얼마나 걸,걸리,걸려,걸릴,걸립,기간,소요,분,며칠,얼마 동안,오래
deadline = deadline,until when,latest,by when,cut-off,last date,due,before,no later | frist,bis wann,spätestens,deadline,anmeldeschluss,bis | plazo,hasta cuándo,fecha límite,último,antes,hasta | date limite,jusqu'à quand,au plus tard,délai,avant | 마감,언제까지,기한,~까지
arrival = check in,check-in,arrive,arrival,check out,check-out,departure,come in,leave,entry,get in,vacate | anreise,abreise,einchecken,check-in,check-out,ankommen,ankunft,anreisen,auschecken | entrada,salida,llegar,llegada,check-in,registro,irse | arrivée,départ,arriver,check-in,partir,check-out | 체크인,체크아웃,입실,퇴실,도착
size = size,sizes,big,large,small,dimensions,wide,width,tall,height,high,deep,depth,long,length,measurements,diameter,area,square metres,cm,metre,fit,fits | größe,groß,klein,maße,breit,breite,hoch,höhe,tief,tiefe,lang,länge,fläche,cm,quadratmeter,passt | tamaño,talla,grande,pequeño,medidas,ancho,alto,altura,largo,longitud,superficie,cm,mide | taille,grand,petit,dimensions,largeur,hauteur,longueur,profondeur,mesure,surface,cm | 크기,사이즈,넓이,높이,길이,폭,큰,작은,치수,평수
weight = weight,weigh,weighs,heavy,light,kilo,kilogram,kg,pounds | gewicht,wiegt,schwer,leicht,kilo,kg | peso,pesa,pesado,kilo,kg | poids,pèse,lourd,kilo,kg | 무게,체중,무거,킬로
colour = colour,color,colours,colors,shade,red,blue,green,black,white,grey,brown,yellow | farbe,farben,rot,blau,grün,schwarz,weiß,grau,braun,gelb,farbton | color,colores,rojo,azul,verde,negro,blanco,gris,marrón,amarillo | couleur,couleurs,rouge,bleu,vert,noir,blanc,gris,brun,jaune,teinte | 색,색상,색깔,빨간,파란,검은,흰
material = material,made of,made from,wood,fabric,leather,cotton,wool,metal,plastic,steel,oak,ingredients,contain,contains,additives,preservatives | material,holz,stoff,leder,baumwolle,wolle,metall,kunststoff,zutaten,enthält,zusatzstoffe,konservierungsstoffe,besteht,inhaltsstoffe | material,madera,tela,cuero,algodón,lana,metal,plástico,ingredientes,contiene,hecho,aditivos | matière,bois,tissu,cuir,coton,laine,métal,plastique,ingrédients,contient,matériau,additifs | 재료,재질,소재,나무,원목,가죽,면,성분,원료
groups = group,groups,team,company,school class,party,people,persons,guests,how many people,capacity,seats,crowd,participants,visitors,maximum | gruppe,gruppen,team,firma,schulklasse,personen,gäste,teilnehmer,leute,plätze,maximal,kapazität | grupo,grupos,personas,gente,invitados,participantes,empresa,capacidad,cuántos,plazas,máximo | groupe,groupes,personnes,invités,participants,entreprise,équipe,capacité,places,maximum | 단체,그룹,인원,명,손님,인분,최대,정원
beginner = beginner,beginners,never done,first time,newcomer,new,no experience,experience,level,novice,starter,learn,advanced,prior knowledge | anfänger,einsteiger,neuling,erste mal,vorkenntnisse,erfahrung,niveau,neu,lernen,fortgeschrittene,noch nie | principiante,principiantes,primera vez,experiencia,nivel,nuevo,aprender,avanzado,nunca | débutant,débutants,première fois,expérience,niveau,nouveau,apprendre,avancé,jamais | 초보,처음,입문,경험,초급,수준,배우
trial = trial,try,test,taster,sample,try out,free lesson,demo,tryout,preview | probe,probestunde,schnuppern,testen,ausprobieren,probetraining,muster,kostprobe | prueba,probar,muestra,clase de prueba | essai,essayer,tester,échantillon,découverte | 체험,시험,맛보기,샘플
staff = owner,founder,team,doctor,teacher,trainer,instructor,chef,boss,runs,founded,staff | inhaber,gründer,team,arzt,lehrer,trainer,chef,leitung,gegründet | dueño,fundador,equipo,médico,profesor,entrenador,propietario | propriétaire,fondateur,équipe,médecin,professeur,patron,fondé | 누가,대표,사장,원장,선생님,팀,설립
since = since when,founded,established,how long have you,history,years in business,started,began | seit wann,gegründet,geschichte,seit,besteht | desde cuándo,fundado,historia,desde | depuis quand,fondé,histoire,depuis,créé | 언제부터,설립,역사,창립,년부터
jobs = job,jobs,vacancy,vacancies,career,apply,work for you,hiring,internship,apprenticeship,recruit,position | stelle,stellen,job,jobs,bewerben,bewerbung,karriere,praktikum,ausbildung,arbeiten bei | trabajo,empleo,vacante,trabajar,currículum,prácticas,puesto | emploi,travailler,recrutez,recrutement,stage,candidature,poste,embauche | 채용,취업,일자리,알바,구인,지원
weather = weather,rain,rains,raining,snow,storm,bad weather,wet,sun,sunny,wind,outdoor | wetter,regen,regnet,schnee,sturm,schlechtwetter,schlechtes wetter,wind | tiempo,lluvia,llueve,nieve,tormenta,mal tiempo,viento | météo,pluie,pleut,neige,orage,mauvais temps,temps,vent | 날씨,비,눈,우천,폭우
holiday = holiday,holidays,bank holiday,public holiday,christmas,easter,new year,festive,vacation,summer break | feiertag,feiertage,weihnachten,ostern,silvester,neujahr,ferien,urlaub,betriebsurlaub | festivo,festivos,navidad,semana santa,vacaciones,año nuevo,feriado | férié,fériés,jour férié,noël,pâques,vacances,congés,nouvel an | 공휴일,휴일,명절,연휴,설날,추석,휴가,크리스마스
season = season,winter,summer,spring,autumn,december,january,july,august,seasonal,months,year-round | saison,winter,sommer,frühling,herbst,dezember,januar,juli,august,ganzjährig | temporada,invierno,verano,primavera,otoño,diciembre,enero,julio,agosto | saison,hiver,été,printemps,automne,décembre,janvier,juillet,août | 계절,겨울,여름,봄,가을,성수기,비수기,월
weekend = weekend,weekends | wochenende | fin de semana | week-end | 주말
evening = evening,night,late,after work,overnight,24 hours,midnight,nights,around the clock | abend,abends,nacht,spät,nach feierabend,nachts,rund um die uhr | noche,tarde,por la noche,medianoche,24 horas | soir,nuit,tard,après le travail,minuit,soirée | 저녁,밤,야간,늦게,심야
morning = morning,early,earliest,dawn,before work | morgen,früh,morgens,vormittag,frühestens | mañana,temprano,madrugada | matin,tôt,matinée | 아침,오전,일찍,새벽
luggage = luggage,suitcase,baggage,bags,bag,belongings,locker,lockers,store,cloakroom,valuables | gepäck,koffer,tasche,schließfach,spind,aufbewahren,garderobe,wertsachen | equipaje,maleta,maletas,bolsa,taquilla,consigna | bagage,bagages,valise,sac,casier,consigne,vestiaire | 짐,가방,캐리어,사물함,보관,락커
toilet = toilet,toilets,restroom,bathroom,wc,shower,showers,changing room,wash | toilette,wc,klo,dusche,duschen,umkleide,bad | baño,aseo,ducha,duchas,vestuario,servicios | toilettes,wc,douche,douches,vestiaire,sanitaires | 화장실,샤워,탈의실
smoking = smoke,smoking,cigarette,vape,smoker | rauchen,raucher,zigarette,nichtraucher | fumar,fumador,cigarrillo,tabaco | fumer,fumeur,cigarette | 흡연,담배,금연
photo = photo,photos,picture,pictures,photograph,camera,film,video | foto,fotos,fotografieren,bilder,kamera,filmen | foto,fotos,fotografía,cámara,fotografiar | photo,photos,photographier,appareil,filmer | 사진,촬영,카메라
privacy = privacy,data,personal data,gdpr,store my data,confidential | datenschutz,daten,dsgvo,vertraulich | privacidad,datos,confidencial,rgpd | confidentialité,données,rgpd,vie privée | 개인정보,비밀
invoice = invoice,receipt,bill,tax,vat,company invoice | rechnung,quittung,beleg,mwst,steuer,kassenbon | factura,recibo,ticket,iva,impuesto | facture,reçu,ticket,tva | 영수증,세금계산서,계산서
newsletter = newsletter,subscribe,subscription,news,updates | newsletter,abonnieren,abo,neuigkeiten | boletín,suscribirse,suscripción,novedades | newsletter,abonner,abonnement,actualités | 소식,구독,뉴스레터
membership = member,membership,subscription,join,season ticket,annual,pass,plan,yearly,club | mitglied,mitgliedschaft,abo,jahreskarte,beitreten,dauerkarte,beitrag,monatskarte | socio,miembro,abono,suscripción,afiliarse,cuota,bono | membre,adhésion,abonnement,adhérer,carte annuelle,forfait,cotisation | 회원,멤버십,가입,정기권,회원권,연간
ticket = ticket,tickets,admission,entrance fee,entry,entrance,get in | karte,ticket,eintritt,eintrittskarte,einlass,karten | entrada,entradas,boleto,billete,acceso | billet,entrée,ticket,billets,admission | 입장권,티켓,입장료,표,입장
cleaning = clean,cleaning,wash,stain,care,washable,hygiene,cleaned,laundry,dirty,wipe | reinigen,reinigung,waschen,fleck,pflege,putzen,sauber,säubern,waschbar | limpiar,limpieza,lavar,mancha,cuidado,sucio | nettoyer,nettoyage,laver,tache,entretien,propre | 세탁,청소,세척,얼룩,관리,클리닝
assembly = assemble,assembly,install,installation,mount,set up,put together,fitting,fitted | montage,aufbauen,montieren,installieren,aufbau,zusammenbauen,einbau,einbauen | montaje,montar,instalar,instalación | montage,monter,installer,installation,assembler | 조립,설치,시공
custom = custom,customised,personalised,bespoke,made to measure,individual,special request,engrave,tailor | individuell,maßanfertigung,nach maß,personalisiert,sonderwunsch,sonderanfertigung,gravur | personalizado,a medida,personalizar,grabado | sur mesure,personnalisé,personnaliser,gravure | 맞춤,주문제작,커스텀,각인
availability = available,in stock,stock,sold out,availability,left,out of stock | verfügbar,vorrätig,lager,ausverkauft,lieferbar,auf lager | disponible,existencias,agotado,stock,disponibilidad | disponible,stock,épuisé,disponibilité | 재고,품절,남았
recommend = recommend,suggest,best,suitable,suits,advice,which one,right for me,advise,choose | empfehlen,empfehlung,beste,geeignet,rat,welches,eignet | recomendar,recomiendan,mejor,adecuado,aconsejar,conviene | recommander,conseiller,meilleur,adapté,conseil,conseillez,convient | 추천,권하,좋은,적합,어울리
compare = difference,compare,versus,better,differ,distinguish | unterschied,vergleich,besser,unterscheiden | diferencia,comparar,mejor,distinto | différence,comparer,mieux | 차이,비교,다른
complaint = complaint,complain,unhappy,dissatisfied,problem,not satisfied,wrong | beschwerde,reklamation,unzufrieden,problem,beschweren | queja,reclamación,insatisfecho,problema,reclamar | plainte,réclamation,insatisfait,problème,mécontent | 불만,항의,문제,컴플레인,별로,마음에,맘에
collect = collect,pick up,pickup,collection,fetch,take away,takeaway,click and collect | abholen,abholung,selbstabholung,mitnehmen,holen | recoger,recogida,retirar,para llevar | retirer,retrait,récupérer,enlèvement,emporter,chercher | 픽업,수령,찾아,포장
homevisit = come to my house,home visit,come to us,on site,at home,come to me,house call,mobile service | hausbesuch,zu mir,nach hause kommen,vor ort,zu hause | a domicilio,venir a casa,en casa,visita a domicilio | à domicile,chez moi,à la maison,sur place | ~방문,출장,집으로
online = online,website,app,web,video call,remote,zoom,virtual | online,webseite,app,internet,videoanruf,homepage | online,en línea,web,app,página,videollamada | en ligne,site,internet,application,visio,appli | 온라인,홈페이지,앱,웹,화상
late = late,delay,delayed,overdue,too late,later | verspätet,verspätung,zu spät,später,überzogen | tarde,retraso,retrasado,atraso | retard,tard,en retard | 늦,지각,연체,지연
penalty = penalty,fine,surcharge,extra charge,extra fee,late fee,supplement | strafe,aufpreis,zuschlag,mahngebühr,zusatzgebühr | multa,recargo,suplemento,penalización | pénalité,amende,supplément,majoration | 벌금,추가요금,위약금,연체료
minimum = minimum,at least,smallest,least,min | mindest,mindestens,minimum,wenigstens | mínimo,al menos | minimum,au moins,minimal | 최소
alone = alone,accompanied,supervised,supervision,unattended,on their own,with a parent | allein,begleitung,aufsicht,begleitet,ohne eltern | solo,sola,acompañado,supervisión | seul,accompagné,surveillance,surveillé | 혼자,동반,보호자
stay = sit,sitting,wait,waiting,waiting list,queue,waiting time | warten,wartezeit,warteliste,schlange | esperar,espera,lista de espera,cola | attendre,attente,liste d'attente,file | 대기,기다
used = used,second hand,second-hand,secondhand,pre-owned,refurbished,old ones,trade in | gebraucht,second hand,inzahlungnahme,altgerät | segunda mano,usado,usados | occasion,seconde main,usagé,reprise | 중고
dispose = dispose,disposal,take away,old,recycle,recycling,get rid | entsorgen,entsorgung,altgeräte,mitnehmen | desechar,reciclar,retirar,eliminar | débarrasser,recycler,reprise,éliminer | 폐기,수거,버리
sell = sell,offer,offers,range,products,assortment,stock,have you got,do you have,services,do you do,kinds of,types | verkaufen,angebot,sortiment,produkte,anbieten,bietet,führen,leistungen,arten | venden,ofrecen,productos,servicios,tienen,ofrece,tipos | vendez,proposez,produits,services,offre,avez-vous,types | 판매,상품,제품,종류,서비스,팔
`;

/** Concepts of a text, and how surely it speaks of them, 0 to 1. */
export type Concepts = ReadonlyMap<string, number>;

const languages = ["en", "de", "es", "fr", "ko"] as const satisfies readonly TextLanguage[];

/** The words of the concepts in one language. */
interface Vocabulary {
  byStem: Map<string, Map<string, number>>;
  /** Several words in a row, as stems; in Korean, any characters. */
  phrases: { phrase: string; concept: string; weight: number }[];
  /** All words as listed. */
  words: Set<string>;
}

const uncertain = 0.5;
/** A word of several concepts tells less. */
const shared = (concepts: number): number => (concepts === 1 ? 1 : concepts > 3 ? 0.5 : 0.8);
/** A part of a German compound tells less than a word. */
const compound = { weight: 0.7, minLength: 8, minPart: 4 };

function addWord(vocabulary: Vocabulary, language: TextLanguage, concept: string, listed: string): void {
  const weight = listed.startsWith("~") ? uncertain : 1;
  const word = listed.replace(/^~/, "");
  const tokens = tokensOf(word, language);
  for (const one of tokens) if (!one.isSmall) vocabulary.words.add(one.word);
  const stems = tokens.map(({ stem }) => stem);
  const [stem = ""] = stems;
  if (language === "ko") vocabulary.phrases.push({ phrase: word, concept, weight });
  else if (stems.length > 1) vocabulary.phrases.push({ phrase: ` ${stems.join(" ")} `, concept, weight });
  else
    vocabulary.byStem.set(
      stem,
      (vocabulary.byStem.get(stem) ?? new Map<string, number>()).set(concept, weight),
    );
}

const vocabularies: ReadonlyMap<TextLanguage, Vocabulary> = (() => {
  const made = new Map<TextLanguage, Vocabulary>(
    languages.map((language) => [language, { byStem: new Map(), phrases: [], words: new Set() }]),
  );
  for (const line of visitorConcepts.trim().split("\n")) {
    const [concept = "", lists = ""] = line.split(" = ");
    for (const [place, list] of lists.split(" | ").entries()) {
      const language = languages[place];
      const vocabulary = language && made.get(language);
      for (const word of list.split(",")) if (vocabulary) addWord(vocabulary, language, concept, word.trim());
    }
  }
  for (const { phrases } of made.values())
    phrases.sort((one, other) => other.phrase.length - one.phrase.length);
  for (const { byStem } of made.values())
    for (const concepts of byStem.values())
      for (const [concept, weight] of concepts) concepts.set(concept, weight * shared(concepts.size));
  return made;
})();

/** The words of the concepts in a language, which visitors use though a text may not. */
export const conceptWords = (language: TextLanguage): ReadonlySet<string> =>
  vocabularies.get(language)?.words ?? new Set();

/** In Korean, a word of one syllable counts only where it stands alone. */
function saysPhrase(text: string, tokens: readonly Token[], phrase: string): boolean {
  if (phrase.length > 1) return text.includes(phrase);
  return tokens.some(({ word, stem }) => stem === phrase || word === phrase);
}

/** Words that ask for something in a question, and only join sentences in a statement ("against the wall, where it is narrow"). */
const asking = new Set(
  "where when how who wo wann wie wer où quand comment dónde donde cuándo cuando cómo como dove quando come onde".split(
    " ",
  ),
);

/** What a statement says. */
export const stated = (tokens: readonly Token[]): Token[] => tokens.filter(({ word }) => !asking.has(word));

/** What of general interest a text speaks of. */
export function conceptsOf(
  text: string,
  language: TextLanguage,
  tokens = tokensOf(text, language),
): Concepts {
  const found = new Map<string, number>();
  const vocabulary = vocabularies.get(language);
  if (!vocabulary) return found;
  const add = (concept: string, weight: number) =>
    found.set(concept, Math.max(found.get(concept) ?? 0, weight));
  const joined = language === "ko" ? text.toLowerCase() : ` ${tokens.map(({ stem }) => stem).join(" ")} `;
  let left = joined;
  const inPhrases = new Set<string>();
  for (const { phrase, concept, weight } of vocabulary.phrases)
    if (language !== "ko" && joined.includes(phrase)) {
      add(concept, weight);
      // "Combien de temps" asks for a time, though "combien" asks for a price.
      for (const stem of phrase.trim().split(" ")) inPhrases.add(stem);
    } else if (language === "ko" && saysPhrase(left, tokens, phrase)) {
      add(concept, weight);
      // "얼마나 걸려요" asks for a time, though "얼마" asks for a price.
      if (phrase.includes(" ")) left = left.replaceAll(phrase, " ");
    }
  for (const { stem } of tokens) {
    if (inPhrases.has(stem)) continue;
    for (const [concept, weight] of vocabulary.byStem.get(stem) ?? []) add(concept, weight);
    if (language !== "de" || stem.length < compound.minLength || vocabulary.byStem.has(stem)) continue;
    for (const [part, concepts] of vocabulary.byStem)
      if (part.length >= compound.minPart && (stem.startsWith(part) || stem.endsWith(part)))
        for (const [concept, weight] of concepts) add(concept, weight * compound.weight);
  }
  return found;
}
