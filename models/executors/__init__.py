"""Where simulated runs and trainings are carried out: processes of this machine, or a cluster."""
