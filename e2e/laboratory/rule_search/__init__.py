"""The search for NuwaRule's constants, by whole films over training links."""
