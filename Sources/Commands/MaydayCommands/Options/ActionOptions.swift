import APIDocuments
import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import Documents
import JSON
import Rendering
import Terminal
import TriageModel

/// Options that all commands for group decisions share.
struct ActionOptions {
  @OptionGroup var author = AuthorOptions()
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = OutputOptions()

  /// Changes groups, and prints them afterwards.
  ///
  /// - Parameters:
  ///   - isList: Whether JSON is always an array; otherwise only if several groups are named.
  ///   - told: Called with the groups before they are printed.
  /// - Throws: The service's error; nothing is changed then.
  func decide(
    _ decision: GroupDecision, about ids: [String], isList: Bool? = nil,
    _ told: ([GroupSummary]) -> Void = { _ in }
  ) throws {
    if home.server != nil && author.given != nil {
      throw UsageError("--as is for a home; on a server the history names the token")
    }
    let decided = try home.service().decide(decision, about: ids, by: author.name)
    let console = output.console
    for warning in decided.warnings { console.warn(warning.printable) }
    told(decided.groups)
    guard output.json else {
      let list = GroupStatusList(groups: decided.groups)
      return try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
    // One named group is printed as an object, several as an array.
    let isArray = isList ?? (ids.count > 1)
    var writer = JSONWriter(pretty: true)
    if isArray { writer.beginArray() }
    for group in decided.groups { writer.write(group) }
    if isArray { writer.endArray() }
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
