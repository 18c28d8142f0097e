internal import Identifiers
internal import JSON

/// A report of `MetricManager`, MetricKit's interface since iOS 27: one event a document.
///
///     {"environment": {"bundleIdentifier", "applicationVersion", "osVersion", ...},
///      "timeRange": {"start": SECONDS SINCE 2001, "duration"},
///      "result": {"crash": {"_0": {"callStackTree": {"callStackThreads": [{"rootFrames": [...]}],
///        "binaryInfo": {UUID: {"name", "uuid"}}}, "signal", ...}}}}
///
/// No document of a device is known yet, and the spelling of keys is derived from the names of the interface:
/// so both the old and the new spelling of each are accepted, lists may be wrapped or not, and a dictionary
/// may be a list of alternating keys and values, as Swift writes those whose keys are not strings.
struct MetricKitReport {
  let kind: MetricKitParser.Diagnostic
  let facts: JSONValue
  let tree: JSONValue
  /// Image names by their UUIDs in lower case.
  let names: [String: String]
  let time: Timestamp?

  static func all(in payload: JSONValue) -> [MetricKitReport] {
    let listed = payload.list("diagnosticReports")
    if !listed.isEmpty { return listed.prefix(AppleLimits.reports).compactMap { Self($0) } }
    return Self(payload).map { [$0] } ?? []
  }

  private init?(_ report: JSONValue) {
    guard let result = report.member("result") ?? report.member("diagnostic"),
      let (kind, value) = Self.event(of: result)
    else { return nil }
    self.kind = kind
    var members = Self.spelledAsBefore(report.member("environment")?.object ?? [])
    members += Self.spelledAsBefore(report.member("metadata")?.object ?? [])
    members += Self.spelledAsBefore(value.member("diagnosticMetaData")?.object ?? [])
    members += value.object ?? []
    facts = .object(members)
    tree = value.member("callStackTree") ?? .object([])
    names = Self.names(tree.member("binaryInfo") ?? report.member("binaryInfo"))
    time = Self.time(report.member("timeRange")) ?? report.time("timeStampEnd")
  }

  /// `{"crash": {"_0": {...}}}`, `{"crash": {...}}` or `{"type": "crash", ...}`.
  private static func event(of result: JSONValue) -> (MetricKitParser.Diagnostic, JSONValue)? {
    for member in result.object ?? [] {
      guard member.value.object != nil, let kind = kind(named: member.key) else { continue }
      let inner = member.value.member("_0") ?? member.value
      if inner.member("callStackTree") != nil { return (kind, inner) }
    }
    guard result.member("callStackTree") != nil,
      let kind = (result.text("type") ?? result.text("kind")).flatMap({ kind(named: $0) })
    else { return nil }
    return (kind, result)
  }

  private static func kind(named name: String) -> MetricKitParser.Diagnostic? {
    let name = name.lowercased()
    let kinds: [(String, MetricKitParser.Diagnostic)] = [
      ("memory", .memory), ("crash", .crash), ("hang", .hang), ("cpu", .processor),
      ("disk", .disk), ("launch", .launch),
    ]
    return kinds.first { name.contains($0.0) }?.1
  }

  private static func spelledAsBefore(_ members: [JSONMember]) -> [JSONMember] {
    let old = [
      "applicationVersion": "appVersion", "applicationBuildVersion": "appBuildVersion",
      "appBuild": "appBuildVersion", "processIdentifier": "pid", "processID": "pid",
      "operatingSystemVersion": "osVersion", "bundleID": "bundleIdentifier",
      "applicationBundleIdentifier": "bundleIdentifier", "architecture": "platformArchitecture",
      "deviceModel": "deviceType",
    ]
    return members.map { JSONMember(old[$0.key] ?? $0.key, $0.value) }
  }

  private static func names(_ table: JSONValue?) -> [String: String] {
    var names: [String: String] = [:]
    func add(_ key: String?, _ value: JSONValue) {
      guard names.count < FormatLimits.images else { return }
      let uuid = value.text("uuid") ?? value.text("binaryUUID") ?? key
      let name = value.text("name") ?? value.text("binaryName") ?? value.string
      if let uuid, let name { names[uuid.lowercased()] = name }
    }
    for member in table?.object ?? [] { add(member.key, member.value) }
    var key: String?
    for value in table?.array ?? [] {
      if let text = value.string, key == nil {
        key = text
        continue
      }
      add(key, value)
      key = nil
    }
    return names
  }

  /// The end of the range, in seconds since 2001, or as a date.
  private static func time(_ range: JSONValue?) -> Timestamp? {
    guard let range else { return nil }
    if let end = range.time("end") { return end }
    if let start = range.member("start")?.real {
      let end = start + (range.member("duration")?.real ?? 0)
      guard end > 0, end < 1e10 else { return nil }
      return Timestamp(seconds: Int64(end) + 978_307_200)
    }
    return range.time("start")
  }
}

extension JSONValue {
  fileprivate var real: Double? {
    if case .double(let value) = self { return value }
    return integer.map { Double($0) }
  }
}
