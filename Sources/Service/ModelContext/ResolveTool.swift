internal import APIDocuments
internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Crypto
internal import Documents
internal import Identifiers
internal import JSON
internal import ServerStore
internal import TriageModel

/// The tool that marks a group as fixed, in two calls: the first says what would change, the second does it.
///
/// The second needs what the first returned, which depends on the group as it was: neither a group that
/// changed meanwhile nor another one is resolved by mistake.
enum ResolveTool {
  private static let input: [APIMember] = {
    var members: [APIMember] = [.always("id", .text(atLeast: 1), "The group: TERN-12.")]
    members += DecisionRequest.one(.resolve).schemaMembers.map(\.standalone)
    members.append(.maybe("confirmation", .text(atLeast: 1), "What the first call returned."))
    return members
  }()

  static let tool = ModelContextTool(
    name: "resolve", title: "Resolve a group",
    meaning: """
      Mark a group as fixed: after the newest release in which it was seen, in a release, or in the \
      next one. The first call changes nothing and returns a confirmation; show its message to the \
      user, and call again with the confirmation only if the user agrees.
      """,
    scope: .triage,
    input: input,
    output: .object([
      .always("message", .text(), "What would change, or what changed."),
      .maybe("confirmation", .text(), "What the second call needs; absent if it is done."),
      .maybe("warnings", .list(.text()), "Effects that may be unintended."),
      .maybe("group", ListTools.group.schema, "The group after the change."),
    ]), isReading: false
  ) { arguments, host in
    let group = try host.service.group(arguments.text("id") ?? "", sourceLines: nil).group
    let resolution = try resolution(in: arguments)
    let expected = confirmation(of: resolution, group)
    guard let given = arguments.text("confirmation") else {
      return .document(
        .object([
          JSONMember("message", .string(question(resolution, group))),
          JSONMember("confirmation", .string(expected)),
        ]))
    }
    guard given == expected else {
      throw ServiceError(
        "the confirmation is not for this call, or the group has changed since: call again without it"
      )
    }
    let decided = try host.decide(.resolve(resolution), [group.id])
    return .document(
      .object([
        JSONMember("message", .string("\(group.id) is resolved \(place(resolution)).")),
        JSONMember("warnings", .array(decided.warnings.map { .string($0) })),
        JSONMember("group", try ListTools.group.document(of: decided.groups.first ?? group)),
      ]))
  }

  private static func resolution(in arguments: ToolArguments) throws -> Resolution {
    let isNext = arguments.flag("next")
    guard let version = arguments.text("in") else { return isNext ? .next : .afterNewestSeen }
    if isNext { throw ServiceError("use either in or next", .wrongUsage) }
    let release = Release(version)
    if release.isEmpty { throw ServiceError("in must be a version", .wrongUsage) }
    return .inRelease(release)
  }

  private static func place(_ resolution: Resolution) -> String {
    switch resolution {
    case .afterNewestSeen: "after the newest release in which it was seen"
    case .inRelease(let release): "in \(release.name.printable)"
    case .next: "in the next release"
    }
  }

  private static func question(_ resolution: Resolution, _ group: GroupSummary) -> String {
    let title = group.signature.text.printable
    let count = "\(group.reports) \(group.reports == 1 ? "report" : "reports")"
    return "\(group.id) (\(title); \(group.state.rawValue); \(count)) would be resolved "
      + "\(place(resolution)); a report from a later release makes it regressed."
  }

  /// A code for the decision about the group in its present state.
  private static func confirmation(of resolution: Resolution, _ group: GroupSummary) -> String {
    let facts = [
      group.id, group.app, group.state.rawValue, group.status.time?.description ?? "",
      String(group.reports), group.lastSeen?.description ?? "", place(resolution),
    ]
    let digest = SHA256.digest(of: ByteView(Array(facts.joined(separator: "\u{0}").utf8)))
    return String(digest.hexadecimalDigits.prefix(12))
  }
}
