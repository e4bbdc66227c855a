"""The columns of films' tables: type, and what each is.

A number is null where there is nothing that it could be of. Rates are as the link counts, with all headers, unless a
column says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

from e2e.laboratory.store.columns import Column, flag, number, text, whole

_CHOICES: Mapping[str, Column] = {
    "run": text("hash of what was chosen and of the sources that made it; with player it joins the tables"),
    "film": text("the packaged film's folder"),
    "link": text("the trace's name, with the settings in which links of one trace differ"),
    "scheme": text("of congestion control"),
    "preset": text("the receiver's; schemes that no receiver drives make nothing of it"),
    "rule": text("that chooses bitrates"),
    "estimator": text("whose estimate the rule goes by"),
    "place": text("simulation, browser or browser-mahimahi"),
    "seed": whole("of random draws, and of the place in the trace"),
    "player": whole("from 1: of those that share the link"),
}
FILMS: Mapping[str, Column] = {
    **_CHOICES,
    "trace_start_ms": whole("where in the link's trace the film begins"),
    "queue_packets": whole("that the link's queue holds; null is no limit"),
    "delay_ms": number("of the path each way, without a queue"),
    "discipline": text("of the link's queue"),
    "loss_ratio": number("asked for: of downlink packets, lost at random behind the queue"),
    "flows": text("of the link; self is a player"),
    "has_ended": flag("whether the film came to its end"),
    "startup_s": number("from the page's opening to the first picture"),
    "played_s": number("of the film; what was seen twice counts twice"),
    "stalls": whole("stretches without a picture behind the first; a seek is none"),
    "stalled_s": number("all of them together"),
    "stalled_ratio": number("of the time from the first picture on"),
    "seeks": whole("of the viewer"),
    "seek_s": number("from a seek to its picture, mean; null without any"),
    "segments": whole("that were shown, each as often as it was"),
    "bitrate_mean_bits_per_s": number("nominal, of the segments' rungs; without headers"),
    "switches": whole("from one rung to another"),
    "qoe_per_segment": number("QoE_lin of Pensieve"),
    "qoe_log_per_segment": number("QoE_log of Pensieve"),
    "best_qoe_per_segment": number("QoE_lin that no film could exceed over this link from this start"),
    "best_qoe_log_per_segment": number("QoE_log that no film could exceed over this link from this start"),
    "vmaf_mean": number("of the segments that were shown"),
    "ssim_mean": number("of the segments that were shown"),
    "qoe_vmaf_per_segment": number("VMAF less stalls and falls, as Comyco has it"),
    "p1203_mos": number("ITU-T P.1203 in mode 0, from 1 to 5"),
    "queueing_delay_p50_ms": number("median time in the queue, the flow's packets"),
    "queueing_delay_p95_ms": number("95th percentile of the time in the queue, the flow's packets"),
    "capacity_bits_per_s": number("of the link, mean over the film"),
    "carried_bits_per_s": number("of the flow's packets that left the link"),
    "lost_ratio": number("of the flow's packets"),
    "beside_bits_per_s": number("of the flows beside that are no players, mean"),
    "receiver_error_ratio": number("median of |the receiver's estimate / capacity - 1| while the link was in use"),
    "receiver_error_p90_ratio": number("90th percentile of the same"),
    "dashjs_error_ratio": number("median of |dash.js's estimate / capacity - 1| while the link was in use"),
    "dashjs_error_p90_ratio": number("90th percentile of the same"),
    "stood_s": number("without a picture though data was ahead: a browser's decoder had no processor; 0 in simulation"),
    "host_late_ms": number("how late the page's receiver woke at most in a second, median; null in simulation"),
}
"""One row a film."""
SECONDS: Mapping[str, Column] = {
    **_CHOICES,
    "at_s": number("since the page was opened"),
    "position_s": number("in the film"),
    "buffer_s": number("of the film, behind the position"),
    "bitrate_bits_per_s": number("nominal, of the rung that is shown"),
    "capacity_bits_per_s": number("of the link in the last second"),
    "carried_bits_per_s": number("of all packets that left the link in the last second"),
    "receiver_bits_per_s": number("the receiver's estimate"),
    "dashjs_bits_per_s": number("dash.js's estimate"),
}
"""One row a second of a film."""
TABLES: Mapping[str, Mapping[str, Column]] = {"films.parquet": FILMS, "seconds.parquet": SECONDS}
