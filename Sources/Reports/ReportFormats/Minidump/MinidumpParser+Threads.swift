internal import Bytes
internal import CrashModel

extension MinidumpParser {
  /// A thread:
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0     4  id
  ///         16     8  address of the thread's block of Windows (TEB)
  ///         24    16  stack: address, size, offset
  ///         40     8  size and offset of the context
  ///
  /// Source: MINIDUMP_THREAD in minidumpapiset.h.
  mutating func readThreads() {
    let (entries, count) = file.entries(
      of: .threadList, size: 48, limit: MinidumpFile.Limits.searchedThreads)
    let names = threadNames()
    let breakpad = BreakpadThreads(file)
    let crashed = exception?.thread ?? breakpad.requesting
    for (index, entry) in entries.enumerated() {
      guard let id = file.number(entry, at: 0, as: UInt32.self) else { break }
      let isCrashed = id == crashed && report.crashedThread == nil
      // The one that crashed may come after thousands of others.
      guard isCrashed || report.threads.count < MinidumpFile.Limits.threads else { continue }
      let name = names[id].flatMap {
        file.wideText(at: $0, limit: MinidumpFile.Limits.threadName)
      }
      report.threads.append(
        thread(entry, id, index, name: name?.isEmpty == true ? nil : name, isCrashed: isCrashed))
      if isCrashed { report.crashedThread = report.threads.count - 1 }
    }
    if count > report.threads.count {
      file.note("the minidump names \(count) threads; \(report.threads.count) of them were read")
    }
    addThreadOfException()
  }

  private mutating func thread(
    _ entry: ByteView, _ id: UInt32, _ index: Int, name: String?, isCrashed: Bool
  ) -> CrashThread {
    var thread = CrashThread(index: index, id: UInt64(id), name: name, crashed: isCrashed)
    if let start = file.number(entry, at: 24, as: UInt64.self),
      let size = file.number(entry, at: 32, as: UInt32.self),
      let offset = file.number(entry, at: 36, as: UInt32.self), offset != 0,
      !memory.add(start, size, offset, file)
    {
      file.note("the stack of thread \(index) lies outside the minidump")
    }
    var context = file.number(entry, at: 40, as: UInt32.self).flatMap { size in
      file.number(entry, at: 44, as: UInt32.self).flatMap { file.part(at: $0, size: size) }
    }
    // The thread's own context is that of the handler which wrote the dump.
    if isCrashed { context = exception?.context ?? context }
    if let context {
      thread.registers = MinidumpContext.registers(
        in: context, of: system.processor, endianness: file.endianness)
    }
    if thread.registers.isEmpty {
      file.note("thread \(index) has no registers that can be read")
    }
    return thread
  }

  /// A dump without its thread still has the registers of the exception.
  private mutating func addThreadOfException() {
    guard let exception, report.crashedThread == nil, let context = exception.context else {
      return
    }
    let registers = MinidumpContext.registers(
      in: context, of: system.processor, endianness: file.endianness)
    guard !registers.isEmpty else { return }
    report.crashedThread = report.threads.count
    report.threads.append(
      CrashThread(
        index: report.threads.count, id: UInt64(exception.thread), crashed: true,
        registers: registers))
    file.note("the thread that crashed is not among the minidump's threads")
  }

  /// The offsets of the names, by thread id: MINIDUMP_THREAD_NAME_LIST.
  private func threadNames() -> [UInt32: UInt64] {
    var names: [UInt32: UInt64] = [:]
    let entries = file.entries(
      of: .threadNames, size: 12, limit: MinidumpFile.Limits.searchedThreads
    ).list
    for entry in entries {
      guard let id = file.number(entry, at: 0, as: UInt32.self),
        let nameOffset = file.number(entry, at: 4, as: UInt64.self)
      else { continue }
      names[id] = nameOffset
    }
    return names
  }

  /// The errors of the last calls, which Windows keeps 13 pointers into the block of each thread.
  ///
  /// Source: `LastErrorValue` of TEB, as rust-minidump reads it.
  func readLastErrors(of report: inout CrashReport) {
    guard let memory = report.memory else { return }
    let entries = file.entries(
      of: .threadList, size: 48, limit: MinidumpFile.Limits.searchedThreads
    ).list
    for index in report.threads.indices {
      let entryIndex = report.threads[index].index
      guard entries.indices.contains(entryIndex),
        let block = file.number(entries[entryIndex], at: 16, as: UInt64.self), block != 0,
        let error = memory.number(at: block &+ UInt64(13 * memory.addressSize), size: 4)
      else { continue }
      report.threads[index].lastError = WindowsError.lastError(UInt32(error))
    }
  }
}

/// The threads involved in writing a dump. The one that wrote it, which Breakpad's tools leave out, is shown
/// like any other.
///
/// Source: MDRawBreakpadInfo in Breakpad, `src/google_breakpad/common/minidump_format.h`.
private struct BreakpadThreads {
  /// The thread for which it was written, if there is no exception.
  var requesting: UInt32?

  init(_ file: MinidumpFile) {
    guard let info = file[.breakpadInfo], let validity = file.number(info, at: 0, as: UInt32.self)
    else { return }
    if validity & 2 != 0 { requesting = file.number(info, at: 8, as: UInt32.self) }
  }
}
