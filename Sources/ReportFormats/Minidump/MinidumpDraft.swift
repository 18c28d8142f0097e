internal import Bytes
internal import CrashModel

/// A report while the streams of its minidump are read.
struct MinidumpDraft {
  private var file: MinidumpFile
  private let system: MinidumpSystem
  private var report = CrashReport(format: .minidump)
  private var memory: MinidumpMemory
  private var exception: MinidumpException?
  private var addressMask: UInt64?

  init(_ file: MinidumpFile, _ system: MinidumpSystem) {
    self.file = file
    self.system = system
    memory = MinidumpMemory(&self.file)
    report.os = system.os
    report.device.architecture = system.processor.architecture
    if file.time != 0 { report.time = Timestamp(seconds: Int64(file.time)) }
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
  }

  mutating func readException() {
    guard let stream = file[.exception] else { return }
    guard let exception = MinidumpException(stream, in: file) else {
      return file.note("the exception of the minidump is cut off")
    }
    self.exception = exception
    report.reason = exception.reason(system)
    if exception.isRequested(system) { report.kind = .other }
  }

  /// A thread:
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0     4  id
  ///         24    16  stack: address, size, offset
  ///         40     8  size and offset of the context
  ///
  /// Source: MINIDUMP_THREAD in minidumpapiset.h.
  mutating func readThreads() {
    let (entries, count) = file.entries(
      of: .threadList, size: 48, limit: MinidumpFile.Limits.threads)
    let names = threadNames()
    let requester = requestingThread
    for (index, entry) in entries.enumerated() {
      guard let id = file.number(entry, at: 0, as: UInt32.self) else { break }
      var thread = CrashThread(index: index, id: UInt64(id), name: names[id])
      if let start = file.number(entry, at: 24, as: UInt64.self),
        let size = file.number(entry, at: 32, as: UInt32.self),
        let offset = file.number(entry, at: 36, as: UInt32.self),
        !memory.add(start, size, offset, file)
      {
        file.note("the stack of thread \(index) lies outside the minidump")
      }
      var context = file.number(entry, at: 40, as: UInt32.self).flatMap { size in
        file.number(entry, at: 44, as: UInt32.self).flatMap { file.part(at: $0, size: size) }
      }
      if id == exception?.thread ?? requester {
        report.crashedThread = index
        thread.crashed = true
        // The thread's own context is that of the handler which wrote the dump.
        context = exception?.context ?? context
      }
      if let context {
        thread.registers = MinidumpContext.registers(in: context, of: system, file)
      }
      if thread.registers.isEmpty {
        file.note("thread \(index) has no registers that can be read")
      }
      report.threads.append(thread)
    }
    if count > entries.count {
      file.note("the minidump names \(count) threads; \(entries.count) of them were read")
    }
    addThreadOfException()
  }

  /// A dump without its thread still has the registers of the exception.
  private mutating func addThreadOfException() {
    guard let exception, report.crashedThread == nil, let context = exception.context else {
      return
    }
    let registers = MinidumpContext.registers(in: context, of: system, file)
    guard !registers.isEmpty else { return }
    report.crashedThread = report.threads.count
    report.threads.append(
      CrashThread(
        index: report.threads.count, id: UInt64(exception.thread), crashed: true,
        registers: registers))
    file.note("the thread that crashed is not among the minidump's threads")
  }

  /// The thread for which Breakpad wrote a dump without an exception.
  private var requestingThread: UInt32? {
    guard let info = file[.breakpadInfo], let validity = file.number(info, at: 0, as: UInt32.self),
      validity & 2 != 0
    else { return nil }
    return file.number(info, at: 8, as: UInt32.self)
  }

  private func threadNames() -> [UInt32: String] {
    var names: [UInt32: String] = [:]
    let entries = file.entries(of: .threadNames, size: 12, limit: MinidumpFile.Limits.threads).list
    for entry in entries {
      guard let id = file.number(entry, at: 0, as: UInt32.self),
        let place = file.number(entry, at: 4, as: UInt64.self),
        let name = file.wideText(at: place), !name.isEmpty
      else { continue }
      names[id] = name
    }
    return names
  }

  /// Process id and times: MINIDUMP_MISC_INFO; on Linux the texts of /proc.
  mutating func readProcess() {
    if let info = file[.miscInfo], let flags = file.number(info, at: 4, as: UInt32.self) {
      if flags & 1 != 0, let id = file.number(info, at: 8, as: UInt32.self), id != 0 {
        report.process.pid = Int(id)
      }
      if flags & 2 != 0, let started = file.number(info, at: 12, as: UInt32.self), started != 0,
        file.time >= started
      {
        report.process.uptime = Double(file.time - started)
      }
    }
    if report.process.pid == nil, let status = file[.linuxProcStatus]?.text {
      report.process.pid = Self.values(of: status, separator: ":")["Pid"].flatMap { Int($0) }
    }
    report.tags.merge(MinidumpMachine.tags(in: file, system)) { known, _ in known }
    readAssertion()
  }

  /// `KEY=value` or `Key: value`, a line each; quotes around values are left out.
  static func values(of text: String, separator: Character) -> [String: String] {
    var values: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline).prefix(1000) {
      let parts = line.split(separator: separator, maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].filter { $0 != "\"" && $0 != "\t" }
      values[String(parts[0])] = String(value.drop { $0 == " " })
    }
    return values
  }

  /// Three texts of 128 UTF-16 units: expression, function and file; then the line.
  ///
  /// Source: MDRawAssertionInfo in Breakpad, `src/google_breakpad/common/minidump_format.h`.
  private mutating func readAssertion() {
    guard let info = file[.assertionInfo] else { return }
    let texts = (0..<3).map { file.wideText(info.clamped(($0 * 256)..<(($0 + 1) * 256))) }
    let line = file.number(info, at: 768, as: UInt32.self) ?? 0
    let what = texts[0].isEmpty ? "assertion" : "assertion failed: " + texts[0]
    let place = texts[2].isEmpty ? "" : " (\(texts[2])\(line == 0 ? "" : ":\(line)"))"
    report.reason.message = what + place
  }

  /// What Crashpad's clients say of themselves.
  ///
  /// The names of annotations are those of Crashpad's and Electron's own clients.
  mutating func readAnnotations() {
    guard let stream = file[.crashpadInfo] else { return }
    let info = CrashpadInfo(stream, in: file)
    addressMask = info.addressMask
    report.incident = info.reportID
    report.install = info.clientID
    for (name, value) in info.moduleAnnotations where report.properties[name] == nil {
      report.properties[name] = value
    }
    for (name, value) in info.annotations { report.properties[name] = value }
    if !info.lists.isEmpty, report.reason.message == nil {
      report.reason.message = info.lists.joined(separator: "; ")
    }
    let properties = report.properties
    func property(_ names: String...) -> String? {
      names.compactMap { properties[$0] }.first { !$0.isEmpty }
    }
    report.app.name = property("_productName", "ProductName", "product", "prod")
    report.app.version = property("_version", "Version", "version", "ver")
  }

  func finished() -> CrashReport {
    var report = report
    let mappings = MinidumpMappings(file)
    report.memory = ProcessMemory(
      memory.regions, addressSize: system.processor.addressSize, endianness: file.endianness,
      addressMask: addressMask, mappings: mappings.list, hasAllMappings: mappings.isComplete)
    report.notes += file.notes
    return report
  }
}
