internal import Bytes
internal import Crypto
internal import Identifiers
internal import JSON
internal import Pipeline

/// The log that an SDK would have sent of a crash, made of what the REST API said of it.
///
/// The names in its stacks are those that App Center found.
enum AppCenterExportLog {
  /// - Parameter item: `nil` for a group of which no error was saved.
  static func log(
    of item: AppCenterExport.Item?, in group: AppCenterExport.Group?
  ) -> JSONValue? {
    guard let id = item?.clientID ?? group.map({ uuid(of: "group " + $0.id) }) else { return nil }
    let value = item?.value ?? .object([])
    let about = group?.value ?? .object([])
    let details = value.member("details") ?? .object([])
    let stack = stack(item?.stack ?? group?.stack)
    let (exception, threads) = exception(stack, value, about)
    let time =
      value.text("timestamp") ?? about.text(["lastOccurrence", "last_occurrence"])
      ?? about.text(["firstOccurrence", "first_occurrence"])
    let device = JSONValue.members([
      "model": value.text(["deviceName", "device_name", "device"]).map { .string($0) },
      "osName": value.text(["osType", "os_type"]).map { .string($0) },
      "osVersion": value.text(["osVersion", "os_version"]).map { .string($0) },
      "osBuild": details.text("os_build").map { .string($0) },
      "locale": (value.text("language") ?? details.text("locale")).map { .string($0) },
      "carrierName": (value.text("carrierName") ?? details.text("carrier_name")).map {
        .string($0)
      },
      "carrierCountry": (value.text("country") ?? details.text("carrier_country")).map {
        .string($0)
      },
      "jailbreak": (value.member("jailbreak") ?? details.member("rooted")),
      "appVersion": (value.text("version") ?? about.text(["appVersion", "app_version"])).map {
        .string($0)
      },
      "appBuild": (value.text("build") ?? about.text(["appBuild", "build"])).map { .string($0) },
    ])
    let isHandled = isHandled(value, about, item?.path ?? group?.path ?? "")
    return .members([
      "type": .string(isHandled ? "handledError" : "managedError"),
      "id": .string(id),
      "timestamp": time.map { .string($0) },
      "appLaunchTimestamp":
        (value.text("appLaunchTimestamp")
        ?? details.text("app_start_timestamp")).map { .string($0) },
      "fatal": .bool(!isHandled),
      "userId": value.text(["userId", "user_name"]).map { .string($0) },
      "properties": value.member("properties"),
      "exception": exception,
      "threads": threads.isEmpty ? nil : .array(threads),
      "device": device,
    ])
  }

  private static func isHandled(_ value: JSONValue, _ group: JSONValue, _ path: String) -> Bool {
    for document in [value, group] {
      switch document.text(["errorType", "error_type"]) {
      case "handledError", "HandledErrors": return true
      case "unhandledError", "CrashingErrors": return false
      default: break
      }
    }
    if let isFatal = group.member("fatal")?.bool { return !isFatal }
    let names = PathNames(path)
    return names.parts.contains { $0.lowercased().hasPrefix("handlederror") }
  }

  private static func stack(_ bytes: ByteView?) -> JSONValue? {
    guard let bytes else { return nil }
    return ExportDocuments(bytes).values.first
  }

  // MARK: Exceptions and frames

  private static func exception(
    _ stack: JSONValue?, _ value: JSONValue, _ group: JSONValue
  ) -> (JSONValue, threads: [JSONValue]) {
    let threads = stack?.list("threads") ?? []
    let crashed =
      threads.first { $0.member("crashed")?.bool == true }
      ?? threads.first { $0.member("relevant")?.bool == true }
      ?? (threads.count == 1 && threads[0].member("crashed") == nil ? threads[0] : nil)
    let main = stack?.member("exception") ?? crashed?.member("exception")
    let reasons =
      value.list("reasonFrames") + group.list("reasonFrames")
      + [value.member("reason_frame"), group.member("reason_frame")].compactMap(\.self)
    var frames = main?.list("frames") ?? []
    if frames.isEmpty { frames = crashed?.list("frames") ?? [] }
    if frames.isEmpty { frames = reasons }
    if frames.isEmpty, group.text(["exceptionMethod", "codeRaw"]) != nil {
      frames = [
        .members([
          "className": group.member("exceptionClassName"),
          "classMethod": group.member("exceptionClassMethod"),
          "method": group.member("exceptionMethod"), "file": group.member("exceptionFile"),
          "line": group.member("exceptionLine"), "codeRaw": group.member("codeRaw"),
        ])
      ]
    }
    let type =
      main?.text("type")
      ?? reasons.lazy.compactMap {
        $0.text(["exceptionType", "exception_type", "osExceptionType"])
      }
      .first
      ?? group.text("exceptionType") ?? value.text("name")
    let reason =
      main?.text("reason") ?? stack?.text("reason")
      ?? group.text(["exceptionMessage", "crash_reason"])
    let inner = main?.list("inner_exceptions") ?? []
    let exception = JSONValue.members([
      "type": type.map { .string($0) },
      "message": reason.map { .string($0) },
      "frames": .array(frames.compactMap { frame($0) }),
      "innerExceptions": inner.isEmpty ? nil : .array(inner.map { cause($0, depth: 1) }),
    ])
    let others = threads.enumerated().filter { $0.element != crashed }.map { index, thread in
      JSONValue.members([
        "id": .integer(Int64(index)),
        "name": thread.text("title").map { .string($0) },
        "frames": .array(thread.list("frames").compactMap { frame($0) }),
      ])
    }
    return (exception, others)
  }

  /// The most causes inside each other, which is what the reader of logs takes.
  private static let mostCauses = 32

  private static func cause(_ value: JSONValue, depth: Int) -> JSONValue {
    let inner = depth < mostCauses ? value.list("inner_exceptions") : []
    return .members([
      "type": value.text("type").map { .string($0) },
      "message": value.text("reason").map { .string($0) },
      "frames": .array(value.list("frames").compactMap { frame($0) }),
      "innerExceptions": inner.isEmpty ? nil : .array(inner.map { cause($0, depth: depth + 1) }),
    ])
  }

  private static func frame(_ value: JSONValue) -> JSONValue? {
    let type = value.text(["class_name", "className"])
    var method = value.text("method")
    let isObjectiveC = value.text("language")?.hasPrefix("Objective") == true
    if isObjectiveC, let type, let name = method, !name.hasPrefix("-"), !name.hasPrefix("+") {
      let isClass = (value.member("class_method") ?? value.member("classMethod"))?.bool == true
      method = "\(isClass ? "+" : "-")[\(type) \(name)]"
    }
    if type == nil, method == nil {
      method = value.text(["code_formatted", "codeFormatted", "code_raw", "codeRaw"])
    }
    guard type != nil || method != nil || value.text("address") != nil else { return nil }
    return .members([
      "className": type.map { .string($0) },
      "methodName": method.map { .string($0) },
      "fileName": value.text("file").map { .string($0) },
      "lineNumber": value.member("line"),
      // An address says nothing in another process; it is all there is of a frame without names.
      "address": type == nil && method == nil ? value.member("address") : nil,
    ])
  }

  // MARK: Ids

  static func isUUID(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
      && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
  }

  /// An id that is the same in every import.
  static func uuid(of text: String) -> String {
    AppCenterIntake.canonicalID(
      String(SHA256.hex(of: ByteView("App Center \(text)".utf8)).prefix(32)))
  }
}
