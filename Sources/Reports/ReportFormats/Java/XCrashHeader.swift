internal import Bytes
internal import CrashModel

/// The lines about the app and the device that the library xCrash writes above a trace:
///
///     Crash type: 'java'
///     Crash time: '2019-10-12T03:23:25.533+0800'
///     App ID: 'com.example.tern'
///     pid: 21356, tid: 21356, name: main  >>> com.example.tern <<<
///
/// Source: `TombstoneParser.java` of xCrash.
enum XCrashHeader {
  static func read(_ text: RawSpan, into report: inout CrashReport) {
    report.os.name = "Android"
    report.app.identifier = value("App ID: '", text)
    report.app.version = value("App version: '", text)
    report.os.version = value("OS version: '", text)
    report.tags[.osAPILevel] = value("API level: '", text)
    report.tags[.deviceMaker] = value("Manufacturer: '", text)
    report.device.model = value("Model: '", text)
    report.os.build = value("Build fingerprint: '", text)
    if let rooted = value("Rooted: '", text) {
      report.tags[.jailbreak] = rooted == "Yes" ? "true" : nil
    }
    report.process.pid = text.number(after: "\npid: ").flatMap { Int(exactly: $0) }
    if let name = text.findLast(", name: "), let end = text.find("  >>> ", from: name) {
      report.tags[.threadName] = text.between(name + 8, end).name
      if let close = text.find(" <<<", from: end) {
        report.process.name = text.between(end + 6, close).name
      }
    }
    report.kind = .crash
  }

  private static func value(_ key: StaticString, _ text: RawSpan) -> String? {
    guard let found = text.find(key) else { return nil }
    let rest = text.from(found + key.utf8CodeUnitCount)
    guard let end = rest.find("'\n") ?? rest.find("'\r") else { return nil }
    return rest.upTo(end).name
  }
}
