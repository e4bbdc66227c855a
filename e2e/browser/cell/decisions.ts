/** What became of the decisions of a run's learned schemes. */

/** What became of a learned scheme's decisions in a run, over all its flows. */
export interface SchemeDecisions {
  scheme: string;
  /** Whether its policy was there, for each flow. */
  isLoaded: boolean;
  /** Those that it asked for; in each flow one may have been open at the end. */
  decisions: number;
  answered: number;
  /** Not answered when the next interval ended. */
  late: number;
  /** Answered by no finite number, or by none of the actions. */
  failed: number;
}

/** The fields of `PolicyReport` (transport/policies.py), from a receiver's result or a server's line. */
export interface PolicyReport {
  scheme: string;
  is_loaded: boolean;
  decisions: number;
  answered: number;
  late: number;
  failed: number;
}

/** What a media server's lines on standard output say of its sessions' decisions. */
export function serverReports(lines: readonly string[]): PolicyReport[] {
  return lines
    .map((line) => JSON.parse(line) as { event: string } & PolicyReport)
    .filter(({ event }) => event === "policy");
}

/** Each scheme's decisions, over all its flows: a server does not tell the flows of one scheme apart. */
export function decisionsByScheme(reports: readonly PolicyReport[]): SchemeDecisions[] {
  const schemes = [...new Set(reports.map(({ scheme }) => scheme))];
  return schemes.map((scheme) => {
    const own = reports.filter((report) => report.scheme === scheme);
    const sum = (count: (report: PolicyReport) => number) =>
      own.reduce((total, report) => total + count(report), 0);
    return {
      ...{ scheme, isLoaded: own.every(({ is_loaded: isLoaded }) => isLoaded) },
      decisions: sum(({ decisions }) => decisions),
      answered: sum(({ answered }) => answered),
      late: sum(({ late }) => late),
      failed: sum(({ failed }) => failed),
    };
  });
}
