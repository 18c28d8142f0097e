internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a report from the streams of a minidump.
struct MinidumpParser {
  var file: MinidumpFile
  let system: MinidumpSystem
  var report = CrashReport(format: .minidump)
  var memory: MinidumpMemory
  private(set) var exception: MinidumpException?
  var addressMask: UInt64?

  init(_ file: MinidumpFile, _ system: MinidumpSystem) {
    self.file = file
    self.system = system
    memory = MinidumpMemory(&self.file)
    report.os = system.os
    report.device.architecture = system.processor.architecture
    if file.time != 0 { report.time = Timestamp(seconds: Int64(file.time)) }
  }

  /// The report of a whole minidump.
  static func report(of bytes: ByteView) throws(ParseError) -> CrashReport {
    let file = try MinidumpFile(bytes)
    guard let stream = file[.systemInfo] else {
      throw ParseError(
        .invalid("there is no stream that names the system"), in: "minidump", at: 12)
    }
    var parser = MinidumpParser(file, try MinidumpSystem(stream, in: file))
    parser.readModules()
    parser.readException()
    parser.readThreads()
    parser.readProcess()
    parser.readAnnotations()
    return parser.finished()
  }

  mutating func readModules() {
    let (entries, count) = file.entries(
      of: .moduleList, size: MinidumpModule.size, limit: MinidumpFile.Limits.modules)
    report.images = entries.compactMap { MinidumpModule.image($0, of: system, in: file) }
    if count > report.images.count {
      file.note("the minidump names \(count) modules; \(report.images.count) of them were read")
    }
    // The first module is the program; others may claim the same addresses.
    if let program = report.images.first {
      report.process.name = program.name
      report.process.path = program.path
    }
    let (unloaded, unloadedCount) = file.sizedEntries(
      of: .unloadedModuleList, needed: 24, limit: MinidumpFile.Limits.unloadedModules)
    report.unloadedImages = unloaded.compactMap {
      MinidumpModule.unloadedImage($0, of: system, in: file)
    }
    if unloadedCount > report.unloadedImages.count {
      file.note(
        "the minidump names \(unloadedCount) unloaded modules; \(report.unloadedImages.count) of them"
          + " were read")
    }
  }

  mutating func readException() {
    guard let stream = file[.exception] else { return }
    guard let exception = MinidumpException(stream, in: file) else {
      return file.note("the exception of the minidump is cut off")
    }
    self.exception = exception
    report.reason = exception.reason(system, isCrashpad: file[.crashpadInfo] != nil)
    if exception.isRequested(system) { report.kind = .other }
  }

  func finished() -> CrashReport {
    var report = report
    let mappings = MinidumpMappings(file)
    report.memory = ProcessMemory(
      memory.regions, addressSize: system.processor.addressSize, endianness: file.endianness,
      addressMask: addressMask, mappings: mappings.list, hasAllMappings: mappings.isComplete)
    if system.family == .windows { readLastErrors(of: &report) }
    if let exception, system.family == .linux, isSent(exception) {
      report.reason.code = LinuxSignal.code(0, of: exception.code)
    }
    report.takeSignalSender()
    report.notes += file.notes
    return report
  }
}
