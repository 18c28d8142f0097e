import Arguments

/// Options that every command knows.
struct GeneralOptions {
  @Option("--config", help: "Another configuration file; /dev/null is none.", value: "FILE")
  var config: String?
  @Flag("--no-pager", help: "Print straight to the terminal, not through $PAGER.") var noPager

  /// The names of the option that names the file.
  static let config = ["--config"]
}
