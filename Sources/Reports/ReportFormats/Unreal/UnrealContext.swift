internal import Bytes
internal import CrashModel
internal import Identifiers

/// `CrashContext.runtime-xml`: the engine's facts about a crash.
///
///     <FGenericCrashContext><RuntimeProperties>
///       <CrashType>Assert</CrashType><ErrorMessage>Assertion failed: …</ErrorMessage>
///       <PCallStack>tern 0x0000000104d7c000 + 6994e8
///       </PCallStack>                       module, its base, and the offset of a return address, hexadecimal
///
/// Elements hold text or elements, without attributes.
struct UnrealContext {
  static let limit = 16 << 20
  private static let elements = 4096

  private var values: [String: String] = [:]

  static func recognises(_ head: RawSpan) -> Bool {
    head.contains("<FGenericCrashContext>")
      && (head.trimmed.has("<?xml") || head.trimmed.has("<FGenericCrashContext>"))
  }

  /// - Complexity: O(n).
  init(_ text: String) {
    let bytes = ByteView(text.utf8).bytes
    var position = 0
    while values.count < Self.elements, let open = bytes.find(UInt8(ascii: "<"), from: position),
      let close = bytes.find(UInt8(ascii: ">"), from: open)
    {
      position = close + 1
      guard bytes.byteOrZero(open + 1) != UInt8(ascii: "/"), close - open < 256,
        let next = bytes.find(UInt8(ascii: "<"), from: close),
        bytes.byteOrZero(next + 1) == UInt8(ascii: "/")
      else { continue }
      let name = bytes.part((open + 1)..<close).name
      if values[name] == nil, next > close + 1 {
        values[name] = Self.plain(bytes.part((close + 1)..<min(next, close + 1 + (1 << 20))).text)
      }
      position = next
    }
  }

  private static func plain(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing(
      "&quot;", with: "\""
    )
    .replacing("&apos;", with: "'").replacing("&amp;", with: "&")
  }

  private func value(_ name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A report made from the context alone.
  func report() -> CrashReport {
    var report = CrashReport(format: .unreal)
    readStack(into: &report)
    add(to: &report)
    return report
  }

  /// Adds the facts of the context.
  func add(to report: inout CrashReport) {
    report.incident = report.incident ?? value("CrashGUID")
    report.properties["CrashGUID"] = value("CrashGUID")
    report.app.name =
      value("GameName").map {
        $0.hasPrefix("UE4-") || $0.hasPrefix("UE-") ? String($0.drop { $0 != "-" }.dropFirst()) : $0
      } ?? report.app.name
    report.app.version = value("AppVersion") ?? value("BuildVersion") ?? report.app.version
    report.process.name = report.process.name ?? value("ExecutableName")
    if report.process.pid == nil {
      report.process.pid = value("ProcessId").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    report.process.uptime =
      report.process.uptime ?? value("SecondsSinceStart").flatMap { Double($0) }
    if report.os.name == nil {
      let name = value("PlatformName") ?? value("PlatformFullName")
      report.os.name = name.map {
        ["IOS": "iOS", "Mac": "macOS", "Win64": "Windows", "Windows": "Windows"][$0.trimmedWord]
          ?? $0
      }
      report.os.version = value("Misc.OSVersionMinor") ?? value("Misc.OSVersionMajor")
    }
    report.install = report.install ?? value("MachineId")
    report.tags[.wrapperName] = "Unreal Engine"
    report.tags[.wrapperVersion] = value("EngineVersion")
    report.tags[.gpu] = report.tags[.gpu] ?? value("Misc.PrimaryGPUBrand")
    report.tags[.locale] = report.tags[.locale] ?? value("AppDefaultLocale")
    report.tags[.comment] = report.tags[.comment] ?? value("UserDescription")?.cut(1024)
    if let message = value("ErrorMessage"), report.reason.message == nil {
      report.reason.message = message.cutMessage
    }
    if report.reason.type == nil, report.reason.signal == nil {
      report.reason.type = value("CrashType")
    }
    if value("IsEnsure") == "true" { report.kind = .handled }
    if value("IsStall") == "true" || value("CrashType") == "Hang" { report.kind = .hang }
    if value("MemoryStats.bIsOOM") == "1" { report.kind = .oom }
  }

  /// Reads the portable stack: in each line a module with its base, and the offset.
  private func readStack(into report: inout CrashReport) {
    var images: [String: Int] = [:]
    var thread = CrashThread(index: 0, crashed: true)
    for line in (value("PCallStack") ?? "").split(whereSeparator: \.isNewline) {
      guard thread.frames.count < FormatLimits.framesPerStack,
        let plus = line[...].lastRange(of: " + ")
      else { continue }
      let words = line[..<plus.lowerBound].trimmed
      guard let blank = words.utf8.lastIndex(of: 32) else { continue }
      let base = ByteView(words[words.utf8.index(after: blank)...].utf8).bytes.unsignedNumber
      let name = String(words[..<blank].trimmed)
      guard let base, let offset = UInt64(String(line[plus.upperBound...].trimmed), radix: 16)
      else { continue }
      if images[name] == nil, report.images.count < FormatLimits.images {
        images[name] = report.images.count
        report.images.append(LoadedImage(name: name, base: Address(base)))
      }
      var frame = Frame(position: .returnAddress)
      frame.image = images[name]
      frame.imageOffset = ImageOffset(offset)
      let (address, overflow) = base.addingReportingOverflow(offset)
      if !overflow { frame.address = Address(address) }
      thread.frames.append(frame)
    }
    guard !thread.frames.isEmpty else { return }
    report.threads = [thread]
    report.crashedThread = 0
  }
}

extension String {
  /// The text up to the first blank.
  fileprivate var trimmedWord: String { split(separator: " ").first.map(String.init) ?? self }
}
