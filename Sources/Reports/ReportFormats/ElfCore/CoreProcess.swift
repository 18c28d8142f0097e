internal import Bytes
internal import CrashModel

/// The facts about the process in the notes of a core, whatever system wrote them.
struct CoreProcess {
  struct Thread {
    var id: UInt64
    var name: String?
    /// `pr_cursig`, or its equivalent.
    var signal: Int32 = 0
    var registers: [Register]
  }

  /// The kernel's information on the signal that ended the process.
  struct SignalInfo {
    let number: Int32
    let code: Int32
    let address: UInt64
    /// The sender, in place of the address, if the signal was sent.
    var sender: (process: UInt64, user: UInt64)?
  }

  /// A part of a file that is mapped.
  struct Mapping {
    let start: UInt64
    let end: UInt64
    /// In bytes.
    let offset: UInt64
    let path: String
  }

  var systemName: String?
  /// The threads; on Linux, the crashed one is first.
  var threads: [Thread] = []
  var threadCount = 0
  var signal: SignalInfo?
  /// The thread that received the signal.
  var signalledThread: UInt64?
  var pid: Int?
  /// The first fifteen bytes of the program's name, or the name that it set.
  var name: String?
  var mappings: [Mapping] = []
  var auxiliary: [AuxiliaryKey: UInt64] = [:]
  var addressMask: UInt64?
  /// Damage, a sentence each.
  var notes: [String] = []

  /// Entries of the auxiliary vector. Source: `elf.h`; FreeBSD has others from 15 on, which are not used.
  enum AuxiliaryKey: UInt64 {
    case programHeaders = 3
    case programHeaderSize = 4
    case programHeaderCount = 5
    case interpreterBase = 7
    case entry = 9
    case programPath = 31
    case vDSO = 33
  }

  init(_ file: CoreFile) {
    let numbers = file.numbers
    var left = CoreFile.Limits.notes
    var isCut = false
    for segment in file.segments where segment.isNotes && left > 0 {
      let bytes = file.contents(of: segment)
      if UInt64(bytes.count) < segment.fileSize { isCut = true }
      left -= CoreNote.each(in: bytes, numbers, limit: left) { note in
        if note.isCut { isCut = true }
        read(note, file)
      }
    }
    if isCut { notes.append("the notes of the core are cut off") }
    if left <= 0 {
      notes.append("the core has more than \(CoreFile.Limits.notes) notes; the rest was not read")
    }
    if threadCount > threads.count {
      notes.append("the core names \(threadCount) threads; \(threads.count) of them were read")
    }
  }

  private mutating func read(_ note: CoreNote, _ file: CoreFile) {
    let owner = note.owner.prefix { $0 != "@" }
    switch owner {
    case "CORE", "LINUX":
      systemName = systemName ?? "Linux"
      readLinux(note, file)
    case "FreeBSD":
      systemName = "FreeBSD"
      readFreeBSD(note, file)
    case "NetBSD-CORE":
      systemName = "NetBSD"
      readNetBSD(note, file)
    case "OpenBSD":
      systemName = "OpenBSD"
      readOpenBSD(note, file)
    default: break
    }
  }

  /// Notes a truncated thread, once.
  mutating func noteCutThread() {
    let note = "a thread of the core is cut off"
    if !notes.contains(note) { notes.append(note) }
  }

  mutating func add(_ thread: Thread) {
    threadCount += 1
    if threads.count < CoreFile.Limits.threads { threads.append(thread) }
  }

  /// Pairs of words up to a zero.
  mutating func readAuxiliaryVector(_ bytes: ByteView, from start: Int = 0, _ numbers: CoreNumbers)
  {
    for index in 0..<CoreFile.Limits.tableEntries {
      let offset = start + index * numbers.wordSize * 2
      guard let key = numbers.word(bytes, at: offset), key != 0,
        let value = numbers.word(bytes, at: offset + numbers.wordSize)
      else { break }
      if let key = AuxiliaryKey(rawValue: key) { auxiliary[key] = value }
    }
  }
}
