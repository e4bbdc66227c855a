"""The search for NuwaRule's constants: training links here, rule and player in `e2e/rule-search` (TypeScript)."""
