/// The version of the program, declared here alone. Reports record it: another version may make something
/// else of the same bytes, debug files and rules.
public let engineVersion = "0.1.0"
