internal import Bytes

/// The notes that BSD systems write.
extension CoreProcess {
  /// A thread: version, three sizes, the system's version, signal, id, registers; its name comes later.
  ///
  /// Source: FreeBSD, `sys/procfs.h` (`struct prstatus`, `struct thrmisc`), `sys/kern/imgact_elf.c`.
  mutating func readFreeBSD(_ note: CoreNote, _ file: CoreFile) {
    let numbers = file.numbers
    let bytes = note.content
    let is64 = numbers.wordSize == 8
    switch note.type {
    case .threadStatus:
      guard let signal = numbers.integer(bytes, at: is64 ? 36 : 20),
        let id = numbers.number(bytes, at: is64 ? 40 : 24, size: 4)
      else { return noteCutThread() }
      let layout = CoreRegisters.freeBSD(file.machine)
      let registers = layout?.registers(in: bytes, at: is64 ? 48 : 28, numbers) ?? []
      add(Thread(id: id, signal: signal, registers: registers))
    case .processInfo: name = numbers.text(bytes, at: is64 ? 16 : 8, size: 17)
    case .freeBSDThreadName:
      guard threadCount == threads.count, !threads.isEmpty else { return }
      threads[threads.count - 1].name = numbers.text(bytes, at: 0, size: 20)
    // The size of an entry comes first.
    case .freeBSDAuxiliaryVector: readAuxiliaryVector(bytes, from: 4, numbers)
    default: break
    }
  }

  /// The process: signal at 8, its code at 12, id at 80, name at 124, signalled thread at 156. The registers
  /// of thread 2 are in a note of the owner `NetBSD-CORE@2`, with the number of the ptrace request for them.
  ///
  /// Source: NetBSD, `sys/exec_elf.h` (`netbsd_elfcore_procinfo`), `machine/ptrace.h`.
  mutating func readNetBSD(_ note: CoreNote, _ file: CoreFile) {
    let numbers = file.numbers
    let bytes = note.content
    if let id = Self.threadID(of: note) {
      guard note.type.rawValue == (file.machine == .arm64 ? 32 : 33) else { return }
      let layout = CoreRegisters.netBSD(file.machine)
      add(Thread(id: id, registers: layout?.registers(in: bytes, at: 0, numbers) ?? []))
    } else if note.type == .netBSDProcess {
      readProcess(bytes, numbers, pid: 80, name: 124)
      signalledThread = numbers.number(bytes, at: 156, size: 4)
    } else if note.type == .netBSDAuxiliaryVector {
      readAuxiliaryVector(bytes, numbers)
    }
  }

  /// The process: signal at 8, its code at 12, id at 32, name at 72. Threads as on NetBSD.
  ///
  /// Source: OpenBSD, `sys/exec_elf.h` (`struct elfcore_procinfo`), `sys/kern/exec_elf.c`.
  mutating func readOpenBSD(_ note: CoreNote, _ file: CoreFile) {
    let numbers = file.numbers
    switch note.type {
    case .openBSDRegisters:
      let layout = CoreRegisters.openBSD(file.machine)
      let registers = layout?.registers(in: note.content, at: 0, numbers) ?? []
      add(Thread(id: Self.threadID(of: note) ?? 0, registers: registers))
    case .openBSDProcess: readProcess(note.content, numbers, pid: 32, name: 72)
    case .openBSDAuxiliaryVector: readAuxiliaryVector(note.content, numbers)
    default: break
    }
  }

  private mutating func readProcess(
    _ bytes: ByteView, _ numbers: CoreNumbers, pid offset: Int, name: Int
  ) {
    pid = numbers.number(bytes, at: offset, size: 4).map { Int($0) }
    self.name = numbers.text(bytes, at: name, size: 32)
    guard let number = numbers.integer(bytes, at: 8) else { return }
    let code = numbers.integer(bytes, at: 12) ?? 0
    signal = SignalInfo(number: number, code: code, address: 0)
  }

  private static func threadID(of note: CoreNote) -> UInt64? {
    let parts = note.owner.split(separator: "@")
    return parts.count == 2 ? UInt64(parts[1]) : nil
  }
}
