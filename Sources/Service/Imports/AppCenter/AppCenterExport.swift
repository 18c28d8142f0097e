internal import Bytes
internal import Identifiers
internal import JSON

/// The contents of saved answers of App Center's REST API, before any of it is stored.
///
/// Each document is recognised by its members, whatever its file is called: lists, answers with one list in
/// them, and single objects. Ids in the path tell which group an error, and which error a stack belongs to.
///
/// Source: App Center's OpenAPI document, operations `errors_*`, `crashGroups_*`, `crashes_*`, `releases_*`,
/// `distributionGroups_*`, `apps_*`.
struct AppCenterExport {
  /// A group of crashes or errors.
  struct Group {
    var id: String
    var path: String
    var value: JSONValue
    /// The stack of a report that stands for the group.
    var stack: ByteView?
  }

  /// A crash or a handled error.
  struct Item {
    var id: String
    var group: String?
    var path: String
    var value: JSONValue
    var stack: ByteView?

    /// The id that the SDK gave it: ids of the service end with it.
    var clientID: String {
      guard let dash = id.firstIndex(of: "-") else { return AppCenterExportLog.uuid(of: id) }
      let tail = String(id[id.index(after: dash)...])
      if AppCenterExportLog.isUUID(tail) { return tail.lowercased() }
      return AppCenterExportLog.isUUID(id) ? id.lowercased() : AppCenterExportLog.uuid(of: id)
    }
  }

  /// A person in a distribution group.
  struct Member: Hashable {
    var email: String
    /// `nil` where the file does not say.
    var group: String?
    var path: String
  }

  private(set) var groups: [String: Group] = [:]
  /// Their ids in the order in which they were found.
  private(set) var groupOrder: [String] = []
  private(set) var items: [String: Item] = [:]
  private(set) var itemOrder: [String] = []
  private(set) var stacks: [(path: String, bytes: ByteView)] = []
  private(set) var logs: [(path: String, value: JSONValue)] = []
  private(set) var releases: [(path: String, value: JSONValue)] = []
  private(set) var distributionGroups: [(path: String, value: JSONValue)] = []
  private(set) var members: [Member] = []
  private(set) var secrets: [(path: String, secret: String)] = []
  /// Names of attachments by their ids.
  private(set) var attachmentNames: [String: String] = [:]
  /// Releases of uploaded mappings by the ids of the uploads and by file names.
  private(set) var symbolReleases: [String: Release] = [:]
  private var stackBytes = 0

  /// Bytes of all stacks that are held until they are stored.
  private static let mostStackBytes = 1 << 30
  /// The most groups and errors.
  private static let mostItems = 1_000_000

  // MARK: Reading

  /// The types of logs that SDKs send.
  private static let logTypes: Set = [
    "appleError", "managedError", "handledError", "errorAttachment", "startService", "startSession",
    "distributionStartSession", "event", "page", "pushInstallation", "customProperties",
  ]

  /// Takes what is known in a document.
  ///
  /// - Returns: Descriptions of the parts that were not taken, with the reason.
  mutating func read(_ value: JSONValue, path: String) -> [String] {
    if let elements = value.array {
      var problems: [String: Int] = [:]
      var order: [String] = []
      for element in elements {
        for problem in read(element, path: path) {
          if problems[problem] == nil { order.append(problem) }
          problems[problem, default: 0] += 1
        }
      }
      return order.map { (problems[$0] ?? 0) > 1 ? "\(problems[$0] ?? 0) × \($0)" : $0 }
    }
    guard value.object != nil else { return ["a JSON value that is not an object"] }
    if let problem = readObject(value, path: path) { return [problem] }
    return []
  }

  private mutating func readObject(_ value: JSONValue, path: String) -> String? {
    if let logs = value.member("logs")?.array, !logs.isEmpty || value.member("mayday") != nil {
      // What session logs of the API are made of has other members.
      if logs.allSatisfy({ $0.member("install_id") != nil }) {
        return "session logs of the API, which say nothing that a report keeps"
      }
      for log in logs { self.logs.append((path, log)) }
      return nil
    }
    if let type = value.text("type"), Self.logTypes.contains(type) {
      logs.append((path, value))
      return nil
    }
    if value.text("errorId") ?? value.text("crash_id") != nil { return readItem(value, path) }
    if value.text("errorGroupId") ?? value.text("crash_group_id") != nil {
      return readGroup(value, path)
    }
    if isStack(value) { return readStack(value, path) }
    if let secret = value.text("app_secret") {
      secrets.append((path, secret))
      return nil
    }
    if value.member("short_version") != nil, value.text("id") != nil {
      releases.append((path, value))
      return nil
    }
    if let email = value.text("email") {
      let names = PathNames(path)
      let group =
        names.parts.contains("members") || names.parts.contains("distribution_groups")
        ? names.part(after: "distribution_groups").flatMap { $0 == "members" ? nil : $0 } : nil
      members.append(Member(email: email, group: group, path: path))
      return nil
    }
    if value.member("is_public") != nil, value.text("name") != nil {
      distributionGroups.append((path, value))
      return nil
    }
    if let id = value.text(["attachmentId", "attachment_id"]) {
      if let name = value.text(["fileName", "file_name"]) { attachmentNames[id] = name }
      return nil
    }
    if let id = value.text("symbol_upload_id") {
      let release = Release(version: value.text("version") ?? "", build: value.text("build") ?? "")
      if !release.version.isEmpty {
        symbolReleases[id] = release
        if let name = value.text("file_name") { symbolReleases[name] = release }
      }
      return nil
    }
    // An answer with one list in it.
    let lists = (value.object ?? []).filter { $0.value.array != nil }
    if lists.count == 1, let list = lists.first {
      if Self.figures.contains(list.key) {
        return "figures (\(list.key)), which are counted anew from the reports"
      }
      let problems = read(list.value, path: path)
      return problems.isEmpty ? nil : problems.joined(separator: "; ")
    }
    return Self.unknown
      + (value.memberNames.isEmpty ? "empty" : "its members are \(value.memberNames)")
  }

  /// The start of what is said of any other document.
  static let unknown =
    "JSON, but not one of App Center's documents of crashes, releases and testers: "

  /// Lists in answers that only count.
  private static let figures: Set = [
    "models", "operatingSystems", "dailyPercentages", "versions", "appBuilds", "crash_groups_count",
  ]

  private mutating func readGroup(_ value: JSONValue, _ path: String) -> String? {
    guard
      let id = value.text(["errorGroupId", "new_crash_group_id", "crash_group_id"])
    else { return "a group without an id" }
    guard groups.count < Self.mostItems else { return "more than \(Self.mostItems) groups" }
    if var known = groups[id] {
      // The newer routes say more.
      if known.value.member("errorGroupId") == nil, value.member("errorGroupId") != nil {
        known.value = value
        groups[id] = known
      }
      return nil
    }
    groups[id] = Group(id: id, path: path, value: value)
    groupOrder.append(id)
    return nil
  }

  private mutating func readItem(_ value: JSONValue, _ path: String) -> String? {
    guard let id = value.text(["errorId", "new_crash_id", "crash_id"]) else {
      return "an error without an id"
    }
    guard items.count < Self.mostItems else { return "more than \(Self.mostItems) errors" }
    var item = Item(
      id: id, group: value.text(["errorGroupId", "new_crash_group_id"]), path: path, value: value)
    if let stack = value.member("stacktrace"), isStack(stack), let bytes = held(stack) {
      item.stack = bytes
    }
    guard let known = items[id] else {
      items[id] = item
      itemOrder.append(id)
      return nil
    }
    // A list has less than the answer about one.
    if (known.value.object?.count ?? 0) < (value.object?.count ?? 0) {
      item.stack = item.stack ?? known.stack
      item.group = item.group ?? known.group
      items[id] = item
    } else if known.group == nil {
      items[id]?.group = item.group
    }
    return nil
  }

  private func isStack(_ value: JSONValue) -> Bool {
    if value.list("threads").contains(where: { $0.member("frames")?.array != nil }) { return true }
    return value.member("exception")?.member("frames")?.array != nil
  }

  private mutating func readStack(_ value: JSONValue, _ path: String) -> String? {
    guard let bytes = held(value) else {
      return "more than \(Self.mostStackBytes) bytes of stacks: import the folders one by one"
    }
    stacks.append((path, bytes))
    return nil
  }

  private mutating func held(_ value: JSONValue) -> ByteView? {
    let bytes = value.document
    guard stackBytes + bytes.count <= Self.mostStackBytes else { return nil }
    stackBytes += bytes.count
    return bytes
  }

  // MARK: What belongs together

  /// Gives errors their groups, and stacks to the errors and groups whose ids are in their paths.
  ///
  /// - Returns: The stacks that belong to nothing.
  mutating func connect() -> [(path: String, reason: String)] {
    for id in itemOrder where items[id]?.group == nil {
      guard let path = items[id]?.path else { continue }
      let found = group(in: PathNames(path))
      items[id]?.group = found
    }
    var loose: [(path: String, reason: String)] = []
    for (path, bytes) in stacks {
      let names = PathNames(path)
      if let id = item(in: names) {
        if items[id]?.stack == nil { items[id]?.stack = bytes }
        let found = group(in: names)
        if items[id]?.group == nil { items[id]?.group = found }
      } else if let id = group(in: names) {
        if groups[id]?.stack == nil { groups[id]?.stack = bytes }
      } else {
        loose.append(
          (
            path,
            "a stack, but no known error or group has its id in this path, such as "
              + "errorGroups/GROUP/errors/ERROR/stacktrace.json"
          ))
      }
    }
    stacks = []
    return loose
  }

  /// The error whose id a path has.
  func item(in names: PathNames) -> String? {
    names.parts.reversed().first { items[$0] != nil } ?? names.words.first { items[$0] != nil }
  }

  private func group(in names: PathNames) -> String? {
    names.parts.reversed().first { groups[$0] != nil } ?? names.words.first { groups[$0] != nil }
  }

  /// The logs were stored.
  mutating func takeLogs() -> [(path: String, value: JSONValue)] {
    defer { logs = [] }
    return logs
  }
}
