import { DISCIPLINES } from "../browser/link/discipline.ts";
import { ACK_POLICIES, PLACES } from "./plan.ts";

/** The help's part about matrices. */
export const MATRIX_USAGE = `A matrix: every scheme over every link, in every place, with every seed; rows, and a report to look at.

  npm run bench -- --schemes nuwa,cubic --links 24mbit,lte-like:queue=1000 --on simulation,mahimahi --seeds 5

  --schemes LIST     schemes under test; nuwa:preset=live chooses the receiver's preset
  --links LIST       recorded traces (Verizon-LTE-short), generated ones (lte-like), files of any format, rates (24mbit);
                     24mbit:queue=100:delay=40 differs from the options below (24mbit)
  --on LIST          ${PLACES.join(", ")} (simulation)
  --seeds N          how often each is run (5)
  --flows FLOWS      a number of flows of the scheme, or a list (1):
                     NAME[*COUNT][@START[-STOP]][:rtt=MS][:preset=NAME][:source=on-off/BYTES/SECONDS],
                     where the name self is the scheme under test: --flows self,cubic@10-40:rtt=80
  --duration S       of each run (30)
  --delay MS         each way (20)
  --queue PACKETS    of the downlink, or none (300)
  --discipline NAME  ${DISCIPLINES.join(", ")}; mahimahi has no abc (droptail)
  --loss RATIO       of the downlink, behind the queue (0)
  --preset NAME      of receiver-driven schemes that name none (the registry's)
  --starts NAME      spread: each seed begins elsewhere in the trace, for all schemes alike; same (spread)
  --acks NAME        the receiver's: ${ACK_POLICIES.join(", ")} (chromium)
  --baseline NAME    the scheme that the others are compared with (the first)
  --qlog             emulated runs leave the server's qlog
  --jobs N           simulations side by side (one a core); emulated runs are made one after the other
  --output DIR       (.build/e2e/laboratory/NAME; the same arguments find it again and go on)
`;
