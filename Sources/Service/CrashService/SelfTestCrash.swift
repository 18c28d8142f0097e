package import Bytes
package import Identifiers
internal import ServerStore

/// A synthetic crash, and the debug file that explains it.
package struct SelfTestCrash {
  /// The app that it is stored under, used only for this.
  package static let app = "mayday-doctor"
  /// The function that the debug file has for the crash location.
  package static let function = "mayday_doctor_trial"
  package static let file = "doctor.c"
  package static let line = 42

  private static let build = "4d617964-6179-446f-8374-6f7254726961"

  /// The report, different each time.
  package let report: ByteView

  package init(now: Timestamp) {
    var source = SystemRandomNumberGenerator()
    let digits = (0..<12).map { _ in
      String("0123456789ABCDEF".randomElement(using: &source) ?? "0")
    }
    let incident = "4D617964-6179-4000-8000-" + digits.joined()
    // `2026-03-02T10:12:01Z` without its letters, with the time zone in the format of such reports.
    let time =
      now.description.prefix(19).map { $0 == "T" ? " " : String($0) }.joined() + ".00 +0000"
    report = ByteView(
      """
      {"app_name":"\(Self.app)","timestamp":"\(time)","app_version":"1.0","build_version":"1",\
      "bug_type":"309","os_version":"macOS 14.5 (23F79)","incident_id":"\(incident)",\
      "name":"\(Self.app)"}
      {"procName":"\(Self.app)","procPath":"/Applications/\(Self.app)","pid":1,\
      "captureTime":"\(time)","cpuType":"ARM-64","incident":"\(incident)",\
      "osVersion":{"train":"macOS 14.5","build":"23F79"},"bundleInfo":\
      {"CFBundleShortVersionString":"1.0","CFBundleVersion":"1"},\
      "exception":{"type":"EXC_CRASH","signal":"SIGABRT"},"faultingThread":0,\
      "threads":[{"id":1,"triggered":true,"frames":[{"imageOffset":4112,"imageIndex":0}]}],\
      "usedImages":[{"source":"P","arch":"arm64","base":4294967296,"size":65536,\
      "uuid":"\(Self.build)","path":"/Applications/\(Self.app)","name":"\(Self.app)"}]}

      """.utf8)
  }

  /// A Breakpad symbol file for the only image.
  package static var symbols: ByteView {
    let id = build.filter { $0 != "-" }.uppercased() + "0"
    return ByteView(
      """
      MODULE mac arm64 \(id) \(app)
      FILE 0 \(file)
      FUNC 1000 100 0 \(function)
      1000 100 \(line) 0

      """.utf8)
  }
}
