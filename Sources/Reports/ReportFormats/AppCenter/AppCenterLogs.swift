public import Bytes
public import CrashModel
public import Identifiers
internal import JSON

/// The logs of an App Center SDK's request, by kind.
///
/// A malformed log does not affect the others: unknown and unusable logs are counted.
public struct AppCenterLogs: Sendable {
  /// A crash or an error.
  public struct Report: Sendable {
    /// The client's id in one spelling, by which duplicate reports are detected.
    public var id: String?
    public var kind: ReportKind
    /// The session in which it happened.
    public var session: String?
    public var time: Timestamp?
    public var version: String
    public var build: String
    /// The log alone as a container of its own, `{"logs":[LOG],"mayday":{"installId":"...",
    /// "clock":"behind"}}`, so that the report can be read again from it. The app's secret is not
    /// in it.
    public var submission: ByteView
    /// Whether it is about a native crash whose dump comes as an attachment.
    public var waitsForDump: Bool
  }

  /// A file for a report, which may have come before, or come later.
  public struct Attachment: Sendable {
    public var id: String
    /// The ``Report/id`` that it belongs to.
    public var reportID: String
    public var name: String
    public var contentType: String?
    public var bytes: ByteView
  }

  /// The start of a session.
  public struct Session: Sendable {
    public var id: String
    public var time: Timestamp?
    public var version: String
    public var build: String
    public var device: String
  }

  /// An event of a session.
  public struct Event: Sendable {
    public var session: String
    /// Empty where the client gave none, as for a page.
    public var id: String
    /// Whether it is a page that was shown, rather than an event.
    public var isPage: Bool
    public var time: Timestamp
    public var name: String
    public var properties: [(name: String, value: String)]
  }

  public private(set) var reports: [Report] = []
  public private(set) var attachments: [Attachment] = []
  public private(set) var sessions: [Session] = []
  public private(set) var events: [Event] = []
  /// Logs that are not used, counted by type: Mayday has no use for them, or they lack what it
  /// needs.
  public private(set) var ignored: [String: Int] = [:]
  /// Attachments that cannot be stored, counted by the reason.
  public private(set) var unusable: [String: Int] = [:]
  /// The unusable attachments that name their report, with the reason.
  public private(set) var refused: [(reportID: String, name: String, reason: String)] = []
  /// The reason why the rest after the logs is missing.
  public private(set) var note: String?
  /// Logs of any type that were not read because there are too many.
  public private(set) var skipped = 0

  /// Known types of logs that may be ignored.
  public static let ignorableTypes = [
    "startService", "distributionStartSession", "pushInstallation", "customProperties",
    "startSession", "event", "page",
  ]
  /// The type that all other logs are counted under.
  public static let unknownType = "unknown"

  /// - Parameters:
  ///   - installID: The value of `Install-ID`.
  ///   - received: The time of arrival. Old SDKs give times relative to it.
  /// - Throws: ``ParseError`` when `bytes` are not a container of logs at all.
  public init(
    parsing bytes: ByteView, installID: String? = nil, received: Timestamp? = nil
  ) throws(ParseError) {
    let container = try AppCenterContainer(reading: bytes)
    note = container.note
    skipped = container.skipped
    let install = installID.flatMap { $0.isEmpty ? nil : $0.canonicalUUID } ?? container.installID
    for log in container.logs { read(log.timed(by: received), install, received) }
  }

  /// A deviation of a device's time from the arrival that exceeds what the vendor's service accepted.
  public enum Clock: String, Sendable {
    /// More than 25 days before it.
    case behind
    /// More than 3 days after it.
    case ahead

    /// `nil` for a time within those days.
    public init?(_ time: Timestamp, received: Timestamp) {
      let (difference, overflow) = time.seconds.subtractingReportingOverflow(received.seconds)
      if overflow ? time < received : difference < -25 * 86_400 {
        self = .behind
      } else if overflow || difference > 3 * 86_400 {
        self = .ahead
      } else {
        return nil
      }
    }

    /// The note in a report with such a time.
    var note: String {
      switch self {
      case .behind:
        "its time is more than 25 days before its arrival: sent late, or the device's clock is wrong"
      case .ahead: "its time is more than 3 days after its arrival: the device's clock is wrong"
      }
    }
  }

  /// An id in the one spelling in which ids are compared: lower case, a UUID with dashes.
  public static func canonicalID(_ text: String) -> String { text.canonicalUUID }

  private mutating func ignore(_ type: String) {
    ignored[Self.ignorableTypes.contains(type) ? type : Self.unknownType, default: 0] += 1
  }

  private mutating func read(
    _ log: JSONValue, _ install: String?, _ received: Timestamp?
  ) {
    guard log.object != nil, let type = log.text("type") else { return ignore("") }
    let device = log.member("device") ?? .object([])
    switch type {
    case "appleError", "managedError", "handledError":
      reports.append(Self.report(log, device, install, received))
    case "errorAttachment": readAttachment(log)
    case "startSession":
      guard let id = log.text("sid")?.canonicalUUID else { return ignore(type) }
      sessions.append(
        Session(
          id: id, time: log.time("timestamp"), version: device.text("appVersion") ?? "",
          build: device.text("appBuild") ?? "", device: device.text("model") ?? ""))
    case "event", "page":
      guard let session = log.text("sid")?.canonicalUUID, let time = log.time("timestamp"),
        let name = log.text("name")
      else { return ignore(type) }
      events.append(
        Event(
          session: session, id: log.text("id")?.canonicalUUID ?? "", isPage: type == "page",
          time: time,
          name: name.cut(AppCenterLimits.textBytes), properties: log.properties))
    default: ignore(type)
    }
  }

  private static func report(
    _ log: JSONValue, _ device: JSONValue, _ install: String?, _ received: Timestamp?
  ) -> Report {
    let time = log.time("timestamp")
    let clock = time.flatMap { time in received.flatMap { Clock(time, received: $0) } }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("logs")
    writer.beginArray()
    writer.value(log)
    writer.endArray()
    if install != nil || clock != nil {
      writer.key("mayday")
      writer.beginObject()
      writer.member("installId", install)
      writer.member("clock", clock?.rawValue)
      writer.endObject()
    }
    writer.endObject()
    let isHandled =
      log.text("type") == "handledError" || log.member("fatal")?.truth == false
    return Report(
      id: log.text("id")?.canonicalUUID, kind: isHandled ? .handled : .crash,
      session: log.text("sid")?.canonicalUUID, time: time,
      version: device.text("appVersion") ?? "", build: device.text("appBuild") ?? "",
      submission: ByteView(writer.takeBytes()),
      waitsForDump: log.member("exception")?.text("type") == "minidump")
  }

  /// The dumps of native crashes that the same request has, by the ids of their reports.
  static func dumps(among logs: [JSONValue]) -> [String: ByteView] {
    var dumps: [String: ByteView] = [:]
    for log in logs where log.text("type") == "errorAttachment" {
      guard log.text("fileName") == CrashReport.dumpName,
        let id = log.text("errorId")?.canonicalUUID, dumps[id] == nil,
        let data = log.member("data")?.string,
        data.utf8.count <= AppCenterLimits.attachmentBytes / 3 * 4 + 1_000_000,
        let bytes = Base64.decode(data)
      else { continue }
      dumps[id] = ByteView(bytes)
    }
    return dumps
  }

  private mutating func readAttachment(_ log: JSONValue) {
    guard let reportID = log.text("errorId")?.canonicalUUID else {
      return unusable["errorAttachment without errorId", default: 0] += 1
    }
    let id = log.text("id")?.canonicalUUID ?? ""
    let name =
      log.text("fileName") ?? (id.isEmpty ? "attachment" : "attachment-\(id.prefix(8))")
    func refuse(_ kind: String, _ reason: String) {
      unusable["errorAttachment \(kind)", default: 0] += 1
      refused.append((reportID, name.cut(AppCenterLimits.textBytes), reason))
    }
    guard let data = log.member("data")?.string else {
      return refuse("without data", "it has no data")
    }
    guard data.utf8.count <= AppCenterLimits.attachmentBytes / 3 * 4 + 1_000_000,
      let bytes = Base64.decode(data), bytes.count <= AppCenterLimits.attachmentBytes
    else {
      let limit = AppCenterLimits.attachmentBytes
      return data.utf8.count > limit
        ? refuse(
          "over \(limit) bytes, or not base64", "it has more than \(limit) bytes, or is not base64")
        : refuse("that is not base64", "it is not base64")
    }
    attachments.append(
      Attachment(
        id: id, reportID: reportID, name: name,
        contentType: log.text("contentType"), bytes: ByteView(bytes)))
  }
}
