internal import Bytes
internal import JSON

/// The logs of a request body or a file: `{"logs":[...]}`, or one log alone.
///
/// The private member `mayday` next to `logs` is Mayday's: it holds facts of the request outside its body.
///
/// Source: the vendor's `ingestion.yaml`, LogContainer.
struct AppCenterContainer {
  private(set) var logs: [JSONValue] = []
  /// `Install-ID` of the request, if it was recorded.
  private(set) var installID: String?
  /// The reason why its time was not trusted, if that was recorded.
  private(set) var clock: AppCenterLogs.Clock?
  /// The reason why the rest after the logs is missing.
  private(set) var note: String?
  /// Logs that were not read because there are too many.
  private(set) var skipped = 0

  /// Types of logs about a crash or an error.
  static let reportTypes: Set<String> = ["appleError", "managedError", "handledError"]
  /// Other types by which a container is recognised.
  private static let otherTypes: Set<String> = [
    "errorAttachment", "startService", "startSession", "distributionStartSession", "event", "page",
    "pushInstallation", "customProperties",
  ]

  /// - Throws: ``ParseError`` when the bytes are not a container of logs, or are cut off or damaged
  ///   before anything of a log could be read.
  init(reading bytes: ByteView) throws(ParseError) {
    guard bytes.count <= AppCenterLimits.json.bytes else {
      throw ParseError(
        .limit(name: "bytes of App Center's logs", value: AppCenterLimits.json.bytes),
        in: "App Center logs", at: AppCenterLimits.json.bytes)
    }
    var reader = JSONReader(
      bytes.bytes, reading: "App Center logs", limits: AppCenterLimits.json)
    var alone: [JSONMember] = []
    var isContainer = false
    do throws(ParseError) {
      guard try reader.beginObject() else { throw reader.error(.truncated(needed: 1, left: 0)) }
      while try reader.nextKey() {
        if reader.keyIs("logs") {
          guard try reader.peek() == .array, try reader.beginArray() else { continue }
          isContainer = true
          while try reader.nextElement() {
            guard logs.count < AppCenterLimits.logs else {
              note = "only the first \(AppCenterLimits.logs) logs were read"
              skipped += 1
              continue
            }
            if let log = try reader.readValue() { logs.append(log) }
          }
        } else {
          let key = reader.key
          if let value = try reader.readValue() { alone.append(JSONMember(key, value)) }
        }
      }
      if let cut = reader.cut {
        note = "the logs are cut off after \(cut) bytes"
        isContainer = false
      } else if try reader.peek() != .end {
        note = "data after the logs at \(reader.position.hexadecimal) is not read"
      }
      guard isContainer || !logs.isEmpty || JSONValue.object(alone).member("type") != nil else {
        throw reader.error(
          reader.cut == nil ? .invalid("there are no logs") : .truncated(needed: 1, left: 0))
      }
    } catch {
      guard !logs.isEmpty else { throw error }
      note = "the JSON is damaged, the rest of it is missing: \(error)"
    }
    let log = JSONValue.object(alone)
    let own = log.member("mayday")
    installID = own?.text("installId")?.canonicalUUID
    clock = own?.text("clock").flatMap(AppCenterLogs.Clock.init(rawValue:))
    if logs.isEmpty, log.member("type")?.string != nil { logs = [log] }
  }

  /// Whether `bytes` hold such logs: a container with a log of a known type, or a single log with a type name
  /// used by nothing else.
  static func recognises(_ bytes: ByteView) -> Bool {
    var reader = JSONReader(bytes.bytes, reading: "App Center logs")
    do throws(ParseError) {
      guard try reader.peek() == .object, try reader.beginObject() else { return false }
      while try reader.nextKey() {
        if reader.keyIs("logs") {
          guard try reader.peek() == .array, try reader.beginArray() else { continue }
          while try reader.nextElement() {
            guard try reader.peek() == .object, try reader.beginObject() else { continue }
            while try reader.nextKey() {
              guard reader.keyIs("type"), let type = try type(&reader) else { continue }
              if reportTypes.contains(type) || otherTypes.contains(type) { return true }
            }
          }
        } else if reader.keyIs("type"), let type = try type(&reader), reportTypes.contains(type) {
          return true
        }
      }
    } catch {
      // Damaged before it could be recognised.
    }
    return false
  }

  @_lifetime(reader: copy reader)
  private static func type(_ reader: inout JSONReader) throws(ParseError) -> String? {
    guard try reader.peek() == .string else { return nil }
    return try reader.readString()
  }
}
