package import CrashModel
internal import CrashService
internal import Identifiers

/// The header of a report in Apple's text form: identity, time, and cause of death.
package struct AppleCrashHead {
  package let report: CrashReport
  package let id: String?
  package let isMac: Bool

  package func lines() -> [String] { identity() + times() + reason() }

  // MARK: Identity and time

  private func identity() -> [String] {
    let process = report.process
    let name = process.name ?? report.app.name ?? "???"
    // Parsers expect a number in the brackets, and only one pair of brackets.
    let processText = name.replacing(" [", with: " (") + " [\(process.pid ?? 0)]"
    var rows: [(String, String?)] = []
    if !isMac {
      rows += [
        ("Incident Identifier", report.incident ?? Self.incident(from: id)),
        ("CrashReporter Key", report.install), ("Hardware Model", report.device.model),
      ]
    }
    rows += [
      ("Process", processText), ("Path", process.path ?? "???"),
      ("Identifier", report.app.identifier ?? name), ("Version", version()),
      ("Code Type", codeType()), ("Role", report.tags[.processRole]),
      ("Parent Process", report.tags[.processParent].map { $0 == "launchd" ? $0 + " [1]" : $0 }),
    ]
    return rows.compactMap { row($0.0, $0.1) } + [""]
  }

  private func times() -> [String] {
    var rows: [(String, String?)] = [("Date/Time", report.time.map(Self.time))]
    if let time = report.time, let uptime = report.process.uptime, uptime >= 0, uptime < 1e12,
      abs(time.seconds) < 1 << 40
    {
      // Rounded to a tenth of a millisecond, as it is printed.
      let ticks = Int64(time.seconds) * 10_000 + Int64(time.nanoseconds) / 100_000
      let launch = ticks - Int64((uptime * 10_000).rounded())
      let seconds = launch >= 0 ? launch / 10_000 : (launch - 9999) / 10_000
      let rest = Int32(launch - seconds * 10_000) * 100_000
      rows.append(("Launch Time", Self.time(Timestamp(seconds: seconds, nanoseconds: rest))))
    }
    rows.append(("OS Version", system()))
    if !isMac { rows.append(("Release Type", report.tags[.osReleaseType])) }
    rows.append(("Report Version", isMac ? "12" : "104"))
    if isMac { rows.append(("Anonymous UUID", report.install)) }
    return rows.compactMap { row($0.0, $0.1) } + [""]
  }

  // MARK: Cause

  private func reason() -> [String] {
    let reason = report.reason
    var rows: [(String, String?)] = []
    let words = [reason.type, reason.signal].compactMap { $0 }.filter { !$0.isEmpty }
    let type = words.first ?? "???"
    let signal = words.count > 1 && words[1] != type ? " (\(words[1]))" : ""
    rows.append(("Exception Type", type + signal))
    rows.append((isMac ? "Exception Codes" : "Exception Subtype", subtype()))
    rows.append(("Exception Codes", codes()))
    if let namespace = report.tags[.terminationNamespace] {
      let code = report.tags[.terminationCode].map { text in
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16).map(String.init) ?? text : text
      }
      let words = [namespace, code, report.tags[.terminationReason]]
      rows.append(("Termination Reason", words.compactMap { $0 }.joined(separator: " ")))
    }
    rows.append(("Terminating Process", report.tags[.terminationBy]))
    var lines = rows.compactMap { row($0.0, $0.1, width: isMac ? 23 : 17) }
    if isMac { return crashedThread().map { [$0, ""] + lines + [""] } ?? lines + [""] }
    if let thread = crashedThread() { lines.append(thread) }
    return lines + [""]
  }

  private func crashedThread() -> String? {
    guard let index = report.crashedThread, report.threads.indices.contains(index) else {
      return nil
    }
    // This text is for reports of any kind; the other is for crashes.
    guard isMac, report.threadSummary == "crashed" else { return "Triggered by Thread:  \(index)" }
    let name = report.threads[index].name?.appleLine ?? ""
    let queue = Self.isQueue(name) ? "  Dispatch queue: \(name)" : ""
    return "Crashed Thread:        \(index)\(queue)"
  }

  /// `KERN_INVALID_ADDRESS at 0x0000000000000010`.
  private func subtype() -> String? {
    let reason = report.reason
    guard let address = reason.address else { return reason.code }
    let digits = String(address.value, radix: 16).zeroPadded(to: 16)
    return "\(reason.code ?? "#0") at 0x\(digits)"
  }

  private func codes() -> String? {
    if let codes = report.tags[.exceptionCodes], codes.hasPrefix("0x") { return codes }
    guard report.reason.type == "EXC_BAD_ACCESS", let address = report.reason.address else {
      return nil
    }
    let number: Int? =
      switch report.reason.code {
      case "KERN_INVALID_ADDRESS": 1
      case "KERN_PROTECTION_FAILURE": 2
      default: nil
      }
    return number.map { number in
      let digits = String(address.value, radix: 16).zeroPadded(to: 16)
      return "0x\(String(number).zeroPadded(to: 16)), 0x\(digits)"
    }
  }

  // MARK: Parts

  private func row(_ label: String, _ value: String?, width: Int? = nil) -> String? {
    guard let value, !value.isEmpty else { return nil }
    return (label + ": ").padded(to: width ?? (isMac ? 23 : 21)) + value.appleLine
  }

  /// `1.4.0 (512)`; up to iOS 14 the build came first: `512 (1.4.0)`.
  private func version() -> String {
    let version = report.app.version
    let build = report.app.build
    guard version != nil || build != nil else { return "???" }
    let (first, second) = isBuildFirst ? (build, version) : (version, build)
    return "\(first ?? "???") (\(second ?? "???"))"
  }

  private var isBuildFirst: Bool {
    guard ["iOS", "tvOS", "watchOS", "bridgeOS"].contains(report.os.name) else { return false }
    let major = report.os.version.flatMap { Int($0.prefix { $0 != "." }) } ?? 0
    return major < (report.os.name == "watchOS" ? 8 : 15)
  }

  private func codeType() -> String {
    let kind = report.tags[.processTranslated] == "true" ? "Translated" : "Native"
    let name =
      switch report.device.architecture {
      case .arm64, .arm64e: "ARM-64"
      case .x86_64, .x86_64h: "X86-64"
      case .i386: "X86"
      case .arm, .armv6, .armv7, .armv7s, .armv7k: "ARM"
      case .ppc: "PPC"
      case .ppc64: "PPC-64"
      case let other?: other.description.uppercased()
      case nil: "???"
      }
    return name == "???" ? name : "\(name) (\(kind))"
  }

  private func system() -> String {
    let name =
      switch report.os.name {
      case "iOS": "iPhone OS"
      case "watchOS": "Watch OS"
      case "tvOS": "Apple TVOS"
      case let other?: other
      case nil: "???"
      }
    return "\(name) \(report.os.version ?? "???") (\(report.os.build ?? "???"))"
  }

  /// `2026-05-20 15:03:20.4213 +0000`.
  private static func time(_ time: Timestamp) -> String {
    let text = Timestamp(seconds: time.seconds).description
    let fraction = String(time.nanoseconds / 100_000).zeroPadded(to: 4)
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)).\(fraction) +0000"
  }

  /// Returns a report's id in the form of a UUID.
  private static func incident(from id: String?) -> String? {
    guard let id, id.utf8.count == 32, id.allSatisfy(\.isHexDigit) else { return id }
    var text = ""
    for (index, digit) in id.uppercased().enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  /// Whether a thread's name is a dispatch queue's.
  package static func isQueue(_ name: String) -> Bool {
    name == "com.apple.main-thread" || name.hasPrefix("com.apple.root.")
      || name == "com.apple.libdispatch-manager"
  }

  package init(report: CrashReport, id: String?, isMac: Bool) {
    self.report = report
    self.id = id
    self.isMac = isMac
  }
}
