/** The session of a job, and the amount of work. */
export interface JobShare {
  /** The session of the job. Default: the service itself. */
  session?: string | undefined;
  /** The amount of work, in a unit that the queue's owner chooses, such as characters. Default 1. */
  cost?: number | undefined;
}

interface Waiting<Job> {
  job: Job;
  cost: number;
}

/** The jobs of one session, and the time of its next turn on the queue's clock. */
interface Line<Job> {
  jobs: Waiting<Job>[];
  turn: number;
}

/**
 * A queue that serves sessions in turn: start-time fair queueing (Goyal, Vin and Cheng, 1996). Its clock counts work: the larger
 * a session's last job was, the later its next turn. So a new session comes before those with much work, and no session gets more
 * than one job ahead of the others.
 */
export class FairQueue<Job> {
  readonly #lines = new Map<string, Line<Job>>();
  /** How far sessions without a waiting job have been served, if that is ahead of the clock. */
  readonly #served = new Map<string, number>();
  #clock = 0;

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  /** How many jobs of a session are waiting. */
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

  /** Removes and returns the next job; undefined when none is waiting. */
  take(): Job | undefined {
    let next: [string, Line<Job>] | undefined;
    for (const entry of this.#lines) if (!next || entry[1].turn < next[1].turn) next = entry;
    if (!next) return undefined;
    const [session, line] = next;
    const first = line.jobs.shift();
    if (!first) return undefined;
    const { job, cost } = first;
    this.#clock = line.turn;
    line.turn += cost;
    if (line.jobs.length === 0) this.#close(session, line);
    return job;
  }

  /** Removes a waiting job; false when it is no longer waiting. */
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

  /** Removes and returns all jobs. */
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
