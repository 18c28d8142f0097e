internal import Bytes
internal import CrashModel
internal import Identifiers

/// A problem's folder as one text: a line for each file, in the layout of Apport's files.
///
///     ABRT-Problem: 1
///     type: CCpp
///     executable: /usr/bin/tern
///     core_backtrace:
///      {"signal": 11, …}
///
/// `triage` and `ingest` write it for such a folder, without the files that may hold secrets.
enum AbrtProblem {
  static let opening: StaticString = "ABRT-Problem: 1"

  private static let keys: Set<String> = [
    "type", "analyzer", "executable", "reason", "time", "pid", "uid", "package", "component",
    "pkg_name", "pkg_version", "pkg_release", "architecture", "os_release", "kernel", "uuid",
    "count", "backtrace", "core_backtrace", "unread", "crash_function", "exception_type", "signal",
  ]

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    let file = ApportFile(bytes, keys: keys)
    let kind = (file["type"] ?? file["analyzer"] ?? "").lowercased()
    var reports = try stacks(file, kind: kind)
    for index in reports.indices { addFacts(file, to: &reports[index]) }
    return reports
  }

  /// gdb's stacks have lines and names of more functions; satyr's have build ids. If both exist, gdb's get
  /// satyr's images.
  private static func stacks(
    _ file: ApportFile, kind: String
  ) throws(ParseError) -> [CrashReport] {
    var failure = ParseError(.notRecognised, in: "a problem of ABRT without a stack", at: 0)
    var short: [CrashReport] = []
    if let json = file["core_backtrace"] {
      do throws(ParseError) {
        let document = try ObjectDocument(
          reading: ByteView(json.utf8), name: "the stack of a problem")
        short = try AbrtStack.reports(of: document.value, kind: kind)
      } catch {
        failure = error
      }
    }
    guard let text = file["backtrace"] else {
      if short.isEmpty { throw failure }
      return short
    }
    var long: [CrashReport] = []
    do throws(ParseError) {
      long = try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
    } catch {
      if short.isEmpty { throw error }
    }
    guard !long.isEmpty else { return short }
    for index in long.indices where long[index].format != .linuxKernel {
      long[index].format = .abrt
    }
    if let known = short.first { addImages(of: known, to: &long[0]) }
    return long
  }

  /// Build ids, and the offsets of frames by their addresses.
  private static func addImages(of short: CrashReport, to report: inout CrashReport) {
    var codeOffsets: [Address: (image: Int, offset: ImageOffset)] = [:]
    for frame in short.threads.flatMap(\.frames) {
      if let address = frame.address, let image = frame.image, let offset = frame.imageOffset {
        codeOffsets[address] = (image, offset)
      }
    }
    guard !codeOffsets.isEmpty else { return }
    var indices: [Int: Int] = [:]
    for thread in report.threads.indices {
      for frame in report.threads[thread].frames.indices {
        guard let address = report.threads[thread].frames[frame].address,
          let codeOffset = codeOffsets[address]
        else { continue }
        if indices[codeOffset.image] == nil, report.images.count < FormatLimits.images {
          let image = short.images[codeOffset.image]
          indices[codeOffset.image] =
            report.images.firstIndex { $0.path == image.path && $0.name == image.name }
            ?? report.images.count
          if indices[codeOffset.image] == report.images.count { report.images.append(image) }
          if let index = indices[codeOffset.image] { report.images[index] = image }
        }
        report.threads[thread].frames[frame].image = indices[codeOffset.image]
        report.threads[thread].frames[frame].imageOffset = codeOffset.offset
      }
    }
    if report.reason.signal == nil { report.reason.signal = short.reason.signal }
  }

  private static func addFacts(_ file: ApportFile, to report: inout CrashReport) {
    if let unread = file["unread"] {
      report.notes.append("files of the problem could not be read: \(unread.cut(1024))")
    }
    if report.os.name == nil { report.os.name = "Linux" }
    if let path = file["executable"] { AbrtStack.setProgram(path, of: &report) }
    if let pid = file["pid"] { report.process.pid = Int(pid) ?? report.process.pid }
    if let time = file["time"].flatMap({ Int64($0) }) { report.time = Timestamp(seconds: time) }
    if let kernel = file["kernel"] { report.os.version = kernel.cut(256) }
    if let release = file["os_release"] { report.tags[.distribution] = release.cut(256) }
    if let reason = file["reason"] { report.tags[.title] = reason.cut(1024) }
    if let uid = file["uid"] { report.tags[.processUser] = uid.cut(32) }
    if let count = file["count"], count != "1" {
      report.tags[ReportTag("abrt.count")] = count.cut(32)
    }
    if let name = file["architecture"] { report.device.architecture = architecture(name) }
    report.app.name = (file["pkg_name"] ?? file["component"])?.cut(256)
    if let version = file["pkg_version"] {
      report.app.version = [version, file["pkg_release"]].compactMap { $0 }
        .joined(separator: "-").cut(256)
    } else if report.app.version == nil, let package = file["package"],
      let name = report.app.name, package.hasPrefix(name + "-")
    {
      report.app.version = String(package.dropFirst(name.count + 1)).cut(256)
    }
    if report.reason.signal == nil, let number = signal(file) {
      report.reason.signal = LinuxSignal.name(number)
    }
  }

  /// `Process /usr/bin/tern was killed by signal 11 (SIGSEGV)`
  private static func signal(_ file: ApportFile) -> UInt32? {
    if let number = file["signal"].flatMap({ UInt32($0) }) { return number }
    guard let reason = file["reason"] else { return nil }
    let bytes = ByteView(reason.utf8)
    return bytes.bytes.number(after: "signal ").flatMap { UInt32(exactly: $0) }
  }

  /// The architectures as RPM names them.
  static func architecture(_ name: String) -> Architecture? {
    switch name {
    case "x86_64": .x86_64
    case "i386", "i586", "i686": .i386
    case "aarch64": .arm64
    case "armv7hl", "armv7l", "armv6hl": .arm
    case "riscv64": .riscv64
    case "ppc64le": .ppc64le
    case "s390x": .s390x
    default: nil
    }
  }
}
