import Arguments
import Bytes
import Scrubbing

/// `mayday scrub check`
struct ScrubCheckCommand: Command {
  static let name = "check"
  static let summary = "Check a file of rules before it is used."
  static let discussion = """
    Without FILE the rules of the home are checked. Exits with 1 and names the line where something \
    is wrong.
    """
  static let examples = [Example("mayday scrub check new.conf", "Before it replaces scrub.conf.")]

  @Argument("FILE", help: "A file of rules; else that of the home.") var file: String?
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let rules = try ScrubRules(file: file, home: home)
    // All of them together may be too much.
    _ = try Scrubber(rules)
    try ScrubRulesText(rules: rules).print(to: output.console, isJSON: output.json)
  }
}

extension ScrubRules {
  private static let sizeLimit = 1 << 18

  /// The rules of a file, or those of a home where none is named.
  init(file: String?, home: HomeOptions) throws {
    guard let file else {
      try self.init(home: home.existingFolder())
      return
    }
    do {
      try self.init(parsing: ByteView(reading: file, limit: Self.sizeLimit))
    } catch let error as ScrubError {
      throw CommandFailure("\(file.printable):\(error.line): \(error.reason.printable)")
    }
  }
}
