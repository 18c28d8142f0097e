/// The version of what turns bytes into results; it changes whenever the same bytes, debug files and
/// rules could give another result.
public let engineVersion = "0.1.0"
