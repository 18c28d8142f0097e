// Empty until its first test lands.
