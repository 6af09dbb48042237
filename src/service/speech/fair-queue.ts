/** Whose work a job is, and how much work it is. */
export interface JobShare {
  /** The session that it is done for. Default: the service itself. */
  session?: string | undefined;
  /** How much work it is, in a unit of the queue's own, such as characters. Default 1. */
  cost?: number | undefined;
}

interface Waiting<Job> {
  job: Job;
  cost: number;
}

/** The jobs of one session, and when the next one's turn is, on the queue's own clock. */
interface Line<Job> {
  jobs: Waiting<Job>[];
  turn: number;
}

/**
 * Jobs that wait, served to sessions in turn: start-time fair queueing (Goyal, Vin and Cheng, 1996). Its clock counts
 * work: a session's next turn is as far after its last as that was long. So a session that comes anew goes before those
 * with much to do, and none is served more than one job ahead of the others.
 */
export class FairQueue<Job> {
  readonly #lines = new Map<string, Line<Job>>();
  /** How far sessions without a waiting job have been served, where that is beyond the clock. */
  readonly #served = new Map<string, number>();
  #clock = 0;

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** How many jobs of a session wait. */
  lengthOf(session: string): number {
    return this.#lines.get(session)?.jobs.length ?? 0;
  }

  add(job: Job, { session = "", cost = 1 }: JobShare): void {
    const line = this.#lines.get(session);
    if (line) line.jobs.push({ job, cost });
    else {
      const turn = Math.max(this.#clock, this.#served.get(session) ?? 0);
      this.#lines.set(session, { jobs: [{ job, cost }], turn });
    }
  }

  /** The job whose turn it is, or undefined where none waits. */
  take(): Job | undefined {
    let next: [string, Line<Job>] | undefined;
    for (const entry of this.#lines) if (!next || entry[1].turn < next[1].turn) next = entry;
    if (!next) return undefined;
    const [session, line] = next;
    const { job, cost } = line.jobs.shift()!;
    this.#clock = line.turn;
    line.turn += cost;
    if (line.jobs.length === 0) this.#close(session, line);
    return job;
  }

  /** Takes a job out; false where it does not wait any more. */
  remove(job: Job): boolean {
    for (const [session, line] of this.#lines) {
      const index = line.jobs.findIndex((waiting) => waiting.job === job);
      if (index < 0) continue;
      line.jobs.splice(index, 1);
      if (line.jobs.length === 0) this.#close(session, line);
      return true;
    }
    return false;
  }

  /** Takes all jobs out. */
  clear(): Job[] {
    const jobs = [...this.#lines.values()].flatMap((line) => line.jobs.map(({ job }) => job));
    this.#lines.clear();
    return jobs;
  }

  #close(session: string, { turn }: Line<Job>): void {
    this.#lines.delete(session);
    for (const [other, served] of this.#served) if (served <= this.#clock) this.#served.delete(other);
    if (turn > this.#clock) this.#served.set(session, turn);
  }
}
