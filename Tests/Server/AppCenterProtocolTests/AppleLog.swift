import Bytes
import JSON
import TestSupport
import Testing

/// The log that Apple's SDK makes of a crash of which we have Apple's own report, in JSON: addresses of
/// frames, images, ids and architecture are taken from the report.
///
/// Source: the rules by which the SDK fills its log (`MSACErrorLogFormatter`).
enum AppleLog {
  static func text(ips name: String, id: String, session: String = "") throws -> String {
    let bytes = try ByteView(mapping: Samples.path("apple-ips/" + name)).array
    // A header line may come first.
    let start = bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let whole = try? JSONDocument.parse(ByteView(bytes)).value
    let report =
      try whole?["threads"] == nil
      ? JSONDocument.parse(ByteView(Array(bytes[start...]))).value : whole ?? .null
    let images = try #require(report["usedImages"]?.array)
    func hex(_ value: Int) -> String {
      let digits = String(value, radix: 16)
      return "0x" + String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }
    func frames(_ list: [JSONValue]) -> String {
      list.map { frame in
        let base = images[frame["imageIndex"]?.integer ?? 0]["base"]?.integer ?? 0
        let offset = frame["imageOffset"]?.integer ?? 0
        let code = "0x\(String(base, radix: 16)) + \(offset)"
        return #"{"address":"\#(hex(base + offset))","code":"\#(code)"}"#
      }.joined(separator: ",")
    }
    let isArm = report["cpuType"]?.string?.hasPrefix("ARM") == true
    let cpu = isArm ? 16_777_228 : 16_777_223
    let threads = (report["threads"]?.array ?? []).enumerated().map { index, thread in
      let stack = frames(thread["frames"]?.array ?? [])
      let last = thread["triggered"]?.bool == true ? report["lastExceptionBacktrace"]?.array : nil
      let exception = last.map { #","exception":{"type":"raised","frames":[\#(frames($0))]}"# }
      return #"{"id":\#(index),"frames":[\#(stack)]\#(exception ?? "")}"#
    }
    let binaries = images.filter { $0["uuid"] != nil && $0["size"] != nil }.map { image in
      let base = image["base"]?.integer ?? 0
      let uuid = (image["uuid"]?.string ?? "").replacing("-", with: "").lowercased()
      return """
        {"id":"\(uuid)","startAddress":"\(hex(base))",
        "endAddress":"\(hex(base + (image["size"]?.integer ?? 1) - 1))",
        "name":"\(image["name"]?.string ?? "???")","path":"\(image["path"]?.string ?? "???")",
        "primaryArchitectureId":\(cpu),"architectureVariantId":\(isArm ? 0 : 3)}
        """
    }
    let signal = report["exception"]?["signal"]?.string ?? "SIGABRT"
    let version = report["bundleInfo"]?["CFBundleShortVersionString"]?.string ?? "1.0.0"
    let build = report["bundleInfo"]?["CFBundleVersion"]?.string ?? "100"
    return """
      {"type":"appleError","timestamp":"2026-03-05T09:50:37.999Z",
      \(session.isEmpty ? "" : #""sid":"\#(session)","#)"id":"\(id)","processId":3374,
      "processName":"Tern","errorThreadId":\(report["faultingThread"]?.integer ?? 0),"fatal":true,
      "appLaunchTimestamp":"2026-03-05T08:50:37.000Z","primaryArchitectureId":\(cpu),
      "architectureVariantId":\(isArm ? 0 : 3),"applicationPath":"/Applications/Tern.app/Tern",
      "osExceptionType":"\(signal)","osExceptionCode":"#0","osExceptionAddress":"0x0",
      "threads":[\(threads.joined(separator: ","))],"binaries":[\(binaries.joined(separator: ","))],
      "device":{"sdkName":"appcenter.macos","sdkVersion":"5.0.4","model":"MacBookPro16,1",
      "oemName":"Apple","osName":"macOS","osVersion":"13.6.7","osBuild":"22G720","locale":"en_US",
      "timeZoneOffset":120,"appVersion":"\(version)","appBuild":"\(build)",
      "appNamespace":"shop.tern.till"}}
      """
  }

  /// Symbols that another symbolizer finds at offsets in the app's image, innermost first.
  static func expected(_ file: String, at offset: Int) throws -> [String] {
    let text = try ByteView(mapping: Samples.debugFile("expected/" + file)).text
    let address = "0x" + String(0x1_0000_0000 + offset, radix: 16)
    for line in text.split(separator: "\n") {
      let value = try JSONDocument.parse(ByteView(line.utf8)).value
      guard value["Address"]?.string == address else { continue }
      return (value["Symbol"]?.array ?? []).compactMap { $0["FunctionName"]?.string }
    }
    return []
  }
}
