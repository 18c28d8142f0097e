import Bytes
import CrashModel
import CrashStore
import Foundation
import Identifiers
import ReportDocument
import TestSupport

@testable import ProgramSupport

/// Adds reports to a store directly, with their attachments and events.
enum StoredReports {
  static let start = Timestamp(seconds: 1_780_000_000)

  /// A report with a stack of app and system code.
  static func report(_ key: String = "k", seconds: Int64 = 0) -> CrashReport {
    var report = CrashReport(format: .appleIPS)
    report.app = AppIdentity(name: "Tern", identifier: "shop.tern", version: "1.2", build: "7")
    report.time = Timestamp(seconds: start.seconds + seconds)
    report.os = OperatingSystem(name: "iOS", version: "17.2", build: "21C62")
    report.device = Device(model: "iPhone15,2", architecture: .arm64)
    report.reason = CrashReason(type: "EXC_BAD_ACCESS", signal: "SIGSEGV", address: Address(16))
    report.images = [LoadedImage(name: "Tern"), LoadedImage(name: "UIKitCore")]
    report.threads = [
      CrashThread(
        index: 0, crashed: true,
        frames: [frame("tern::total", line: 8)]
          + (0..<6).map { frame("UIKit.\($0)", image: 1, inApp: false) } + [frame("main", line: 3)]),
      CrashThread(index: 4, name: "loader", frames: [frame("tern::load", line: 30)]),
    ]
    report.crashedThread = 0
    report.signature = Signature(
      text: "tern::total of \(key)", key: key, alternativeKeys: [], category: .signal, rules: "v1",
      isProvisional: false, waitsFor: [])
    return report
  }

  static func frame(_ name: String, line: Int? = nil, image: Int = 0, inApp: Bool = true) -> Frame {
    Frame(
      address: Address(0x1000), position: .exact, image: image, imageOffset: ImageOffset(0x10),
      function: name, file: line.map { _ in "src/\(name).cpp" }, line: line, inApp: inApp)
  }

  /// - Parameter name: A text that makes its submission unique.
  /// - Returns: The report's id.
  @discardableResult
  static func add(
    _ report: CrashReport, named name: String = "a", files: [(String, [UInt8])] = [],
    received: Timestamp = start, to store: CrashStore
  ) throws -> String {
    let (prepared, id) = try prepared(report, name, files, received: received)
    try store.reports.add([prepared])
    return id
  }

  /// Adds a report with the events of its session, as an SDK sends them.
  static func add(_ report: CrashReport, after crumbs: [Breadcrumb], to store: CrashStore) throws
    -> String
  {
    let (prepared, id) = try prepared(report, "session", [])
    var batch = ClientBatch(app: "Tern", received: start, install: "phone")
    batch.reports = [
      .init(
        prepared, id: "r", kind: .crash, session: "s", time: report.time ?? start, version: "1.2")
    ]
    batch.events = crumbs.enumerated().map { .init(session: "s", id: "\($0)", $1) }
    _ = try store.sessions.add(batch)
    return id
  }

  private static func prepared(
    _ report: CrashReport, _ name: String, _ files: [(String, [UInt8])],
    received: Timestamp = start
  ) throws -> (PreparedSubmission, String) {
    let submission = Submission(
      bytes: ByteView("\(name) \(report.signature?.key ?? "")".utf8), source: "in/\(name)",
      received: received, app: "Tern")
    let id = ReportID.ids(of: submission.bytes, app: "Tern", count: 1)[0]
    var prepared = try PreparedSubmission(
      submission, reports: [(report, ByteView(report.document(id: id, received: received)))])
    for (name, bytes) in files { prepared.attach(try PreparedAttachment(name, ByteView(bytes))) }
    return (prepared, id)
  }
}

/// Pictures made by a browser (Chromium 141, a canvas of 33 × 17 pixels), and one written by hand.
enum Pictures {
  static let png = decoded(
    "iVBORw0KGgoAAAANSUhEUgAAACEAAAARCAYAAABTnsXCAAAAO0lEQVR4AezSMQ0AQAgEwQ+W3hPiMAnVaoBiSci1ZLj4lb298Q6M"
      + "R/AEJZRAgLQTSiBA2gklECBPdGIAAAD//+JGZKkAAAAGSURBVAMAXZVKpdj3NuIAAAAASUVORK5CYII=")
  /// Without its colour profile.
  static let jpeg = decoded(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWG"
      + "kJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk"
      + "pKSkpKSkpKSkpKSkpKT/wAARCAARACEDASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAA"
      + "AAAAAAD/xAAWAQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwAAmwAAAAAA"
      + "AAAAP//Z")
  /// Only the picture, without its container and profile.
  static let webP = decoded(
    "UklGRkAAAABXRUJQVlA4IDQAAAAwAwCdASohABEAPxGIvFesKSYjpWgBgCIJZwDM0A8KmggAAPGG79v9feUOxSOq/d52YAAA"
  )
  static let webPLossless = decoded(
    "UklGRh4AAABXRUJQVlA4TBEAAAAvIAAEAAdQ1c7UrP+BiOh/AAA=")

  /// In the extended form.
  static let webPExtended = decoded(
    "UklGRlIAAABXRUJQVlA4WAoAAAAgAAAAIAAAEAAAVlA4IDQAAAAwAwCdASohABEAPxGIvFesKSYjpWgBgCIJZwDM0A8KmggAAPGG79v9feUOxSOq/d52YAAA"
  )

  /// Two colours, 2 × 2 pixels, a comment with markup, and HTML after its end.
  static let gif: [UInt8] =
    Array("GIF89a".utf8) + [2, 0, 2, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xfe, 25]
    + Array("<script>alert(1)</script>".utf8)
    + [0, 0x2c, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 2, 0x4c, 1, 0, 0x3b]
    + Array("<html><script>alert(2)</script>".utf8)

  private static func decoded(_ text: String) -> [UInt8] {
    Data(base64Encoded: text).map(Array.init) ?? []
  }
}
