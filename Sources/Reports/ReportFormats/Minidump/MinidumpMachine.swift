internal import Bytes
internal import CrashModel

/// The machine and its system in a minidump, except for the version.
///
///     OFFSET  SIZE  FIELD
///          2     2  family of the processor
///          4     2  model and stepping, a byte each from the top
///          6     1  number of processors
///         32    12  vendor, on x86
///
/// Source: MINIDUMP_SYSTEM_INFO in minidumpapiset.h; the texts of Linux: Breakpad,
/// `src/google_breakpad/common/minidump_format.h`.
enum MinidumpMachine {
  static func tags(in file: MinidumpFile, _ system: MinidumpSystem) -> [ReportTag: String] {
    var tags: [ReportTag: String] = [:]
    if let stream = file[.systemInfo] {
      if let count = file.number(stream, at: 6, as: UInt8.self), count > 0 {
        tags[.cpuCount] = String(count)
      }
      tags[.cpuInfo] = processor(stream, of: system, in: file)
    }
    if let text = file[.linuxRelease]?.clamped(0..<MinidumpFile.Limits.textBytes).text {
      addDistribution(text, to: &tags)
    }
    if let text = file[.linuxCPUInfo]?.clamped(0..<MinidumpFile.Limits.textBytes).text {
      let version = MinidumpParser.values(of: text, separator: ":")
        .first { $0.key.filter { $0 != "\t" && $0 != " " } == "microcode" }?.value
      tags[.cpuMicrocode] = version.map { String($0.prefix(32)) }
    }
    if let maps = file[.linuxMaps]?.clamped(0..<MinidumpFile.Limits.mapsBytes).array {
      let lines = maps.split(separator: UInt8(ascii: "\n"))
      tags[.memoryMappings] = String(lines.count)
    }
    return tags
  }

  /// `GenuineIntel family 6 model 13 stepping 8`; only for x86 processors.
  private static func processor(
    _ stream: ByteView, of system: MinidumpSystem, in file: MinidumpFile
  ) -> String? {
    let isNarrow: Bool
    switch system.processor {
    case .x86, .x86OnWindows64: isNarrow = true
    case .amd64: isNarrow = false
    default: return nil
    }
    guard let family = file.number(stream, at: 2, as: UInt16.self),
      let revision = file.number(stream, at: 4, as: UInt16.self)
    else { return nil }
    let text = "family \(family) model \(revision >> 8) stepping \(revision & 0xff)"
    let vendor = stream.clamped(32..<44).array
    guard isNarrow, vendor.count == 12, vendor.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      return text
    }
    return String(decoding: vendor, as: UTF8.self) + " " + text
  }

  /// Adds the facts of `/etc/lsb-release` or `/etc/os-release`.
  private static func addDistribution(_ text: String, to tags: inout [ReportTag: String]) {
    let values = MinidumpParser.values(of: text, separator: "=")
    tags[.distribution] = values["PRETTY_NAME"] ?? values["DISTRIB_DESCRIPTION"]
    tags[.distributionID] = values["DISTRIB_ID"] ?? values["ID"]
    tags[.distributionRelease] = values["DISTRIB_RELEASE"] ?? values["VERSION_ID"]
    tags[.distributionCodename] = values["DISTRIB_CODENAME"] ?? values["VERSION_CODENAME"]
  }
}
