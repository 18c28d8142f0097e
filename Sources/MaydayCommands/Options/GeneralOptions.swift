import Arguments

/// Options that every command knows.
struct GeneralOptions {
  @Option("--config", help: "Another configuration file; /dev/null is none.", value: "FILE")
  var config: String?

  /// The names of the option that names the file.
  static let config = ["--config"]
}
