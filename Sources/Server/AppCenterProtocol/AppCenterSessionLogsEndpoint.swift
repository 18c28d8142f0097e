internal import CrashModel
internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import JSON
internal import ReportDocument
internal import ServerCore

/// `…/sessionLogs`: the app's events in the session of a report, and the report itself.
///
/// The device is taken from the report: it does not change during a session.
package struct AppCenterSessionLogsEndpoint {
  /// The maximum number of logs in a response.
  private static let limit = 100

  private struct Log {
    let type: String
    let time: Timestamp
    var id: String?
    var name: String?
    var properties: [String: String] = [:]
  }

  package func list(_ call: AppCenterCall) throws -> Response {
    let record = try call.report()
    try call.check(.log)
    let stored = try call.stored(record)
    let events = try call.store.sessions.events(of: record.summary.id)
    var logs = events.map { event in
      Log(
        type: event.isPage ? "page" : "event", time: event.crumb.time,
        id: event.isPage || event.id.isEmpty ? nil : event.id, name: event.crumb.name,
        properties: event.crumb.properties)
    }
    logs.append(
      Log(
        type: "error", time: record.summary.time, id: stored.report.incident,
        name: stored.report.reason.line))
    // A day, or the time of the last log that the client has seen.
    if let from = try call.time("date") {
      let isDay = call["date"].flatMap { Timestamp($0) } == nil
      logs.removeAll { $0.time < from || (isDay && $0.time.day != from.day) }
    }
    return .document { writer in
      writer.beginObject()
      writer.member("exceeded_max_limit", logs.count > Self.limit)
      writer.member(
        "last_received_log_timestamp", logs.prefix(Self.limit).last?.time.description)
      writer.key("logs")
      writer.beginArray()
      for log in logs.prefix(Self.limit) { write(log, of: stored.report, to: &writer) }
      writer.endArray()
      writer.endObject()
    }
  }

  private func write(_ log: Log, of report: CrashReport, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("type", log.type)
    writer.member("timestamp", log.time.description)
    writer.member("install_id", report.install ?? "00000000-0000-0000-0000-000000000000")
    writer.member("session_id", report.tags[.session])
    writer.member("event_id", log.id)
    writer.member("event_name", log.name)
    if !log.properties.isEmpty {
      writer.key("properties")
      writer.beginObject()
      for (name, value) in log.properties.sorted(by: { $0.key < $1.key }) {
        writer.member(name, value)
      }
      writer.endObject()
    }
    writer.key("device")
    writer.writeDevice(of: report)
    writer.endObject()
  }
}

extension JSONWriter {
  /// The device fields of a log, with underscores.
  fileprivate mutating func writeDevice(of report: CrashReport) {
    let tags = report.tags
    beginObject()
    member("sdk_name", tags[.sdkName] ?? "")
    member("sdk_version", tags[.sdkVersion] ?? "")
    member("wrapper_sdk_name", tags[.wrapperName])
    member("wrapper_sdk_version", tags[.wrapperVersion])
    member("wrapper_runtime_version", tags[.wrapperRuntime])
    member("model", report.device.model)
    member("oem_name", tags[.deviceMaker])
    member("os_name", report.os.name ?? "")
    member("os_version", report.os.version ?? "")
    member("os_build", report.os.build)
    member("os_api_level", tags[.osAPILevel].flatMap { Int($0) })
    member("locale", tags[.locale] ?? "")
    member("time_zone_offset", tags[.timeZoneMinutes].flatMap { Int($0) } ?? 0)
    member("screen_size", tags[.screen])
    member("app_version", report.app.version ?? "")
    member("app_build", report.app.build ?? "")
    member("app_namespace", report.app.identifier)
    member("carrier_name", tags[.carrierName])
    member("carrier_country", tags[.carrierCountry])
    member("live_update_release_label", tags[.liveUpdateLabel])
    member("live_update_package_hash", tags[.liveUpdatePackage])
    endObject()
  }
}
