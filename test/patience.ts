/** How long a test waits for what must come, in ms. It only ends tests that hang: a busy machine takes many times as long as an idle one. */
export const patienceMs = 60_000;

const askEveryMs = 20;

/** Asks until the answer is not undefined or false. For what tells nobody when it happens, such as another process. */
export async function until<Answer>(
  what: string,
  ask: () => Answer | undefined | false | Promise<Answer | undefined | false>,
): Promise<Answer> {
  const giveUpAtMs = performance.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > giveUpAtMs) throw new Error(`Waited too long for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, askEveryMs));
  }
}
