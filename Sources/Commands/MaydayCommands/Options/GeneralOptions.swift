import Arguments

/// Options that every command knows.
struct GeneralOptions {
  @Option("--config", help: "Use this configuration file; /dev/null uses none.", value: "FILE")
  var config: String?
  @Flag("--no-pager", help: "Do not use $PAGER.") var noPager

  /// The names of the option for the configuration file.
  static let config = ["--config"]
}
