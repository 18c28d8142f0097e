import Arguments
import CrashService

/// The testers and groups to publish files of releases to.
struct AudienceOptions {
  @Option(
    "--groups", help: "Publish to these distribution groups, separated by commas.",
    value: "GROUP,...")
  var groups: [String] = []
  @Option("--tester", help: "Publish to this tester.", value: "EMAIL") var testers: [String] = []
  @Flag("--mandatory", help: "Clients have to install it.") var isMandatory
  @Flag("--notify", help: "Mail their testers, each once for each file.") var isNotified

  func validate() throws(UsageError) {
    guard groups.isEmpty, testers.isEmpty else { return }
    if isMandatory { throw UsageError("--mandatory needs --groups or --tester") }
    if isNotified { throw UsageError("--notify needs --groups or --tester") }
  }

  /// The audience; `nil` if no options are given.
  var audience: ArtefactAudience? {
    let names = Self.names(in: groups)
    guard !names.isEmpty || !testers.isEmpty else { return nil }
    return ArtefactAudience(
      groups: names, testers: testers, isMandatory: isMandatory, isNotified: isNotified)
  }

  static func names(in lists: [String]) -> [String] {
    lists.flatMap { $0.split(separator: ",") }
      .map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
      .filter { !$0.isEmpty }
  }
}
