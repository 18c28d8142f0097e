internal import Bytes
internal import CrashModel
internal import Identifiers

extension ReportFormat {
  /// A core file of Linux or a BSD system.
  static let elfCore = ReportFormat("elf-core")
}

/// An ELF core file: its threads come with registers and the memory of their stacks, which are walked when
/// the report is symbolicated.
///
/// Arguments and environment may hold secrets: they stay in the submission and are left out of the report.
///
/// Sources: Linux, `fs/binfmt_elf.c`; `elf.h` and `link.h` of glibc.
enum ElfCoreReader: DocumentReader {
  static let format = ReportFormat.elfCore
  static let fileExtension = "core"
  static let isBinary = true

  static func recognises(_ bytes: ByteView) -> Bool { CoreFile.recognises(bytes) }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    var file = try CoreFile(bytes)
    let process = CoreProcess(file)
    let memory = file.memory(of: process)
    let modules = CoreModules(file, process, memory)
    var report = CrashReport(format: .elfCore)
    report.os.name = process.systemName
    report.os.version = modules.kernelVersion
    report.device.architecture = file.machine.architecture(file.numbers)
    report.images = modules.images
    let program = modules.program.map { modules.images[$0] }
    report.process.pid = process.pid
    report.process.path = program?.path
    // The kernel cuts the name after fifteen bytes, and programs change it.
    report.process.name =
      program.map(\.name) ?? process.name
    let crashed = process.crashedThread
    report.crashedThread = crashed
    for (index, thread) in process.threads.enumerated() {
      if thread.registers.isEmpty {
        file.note("thread \(index) has no registers that can be read")
      }
      report.threads.append(
        CrashThread(
          index: index, id: thread.id, name: thread.name, crashed: index == crashed,
          registers: thread.registers))
    }
    report.reason = process.reason
    if let sender = process.signal?.sender, report.reason.hasSender {
      report.setSignalSender(process: sender.process, user: sender.user)
    }
    if process.isRequested { report.kind = .other }
    report.memory = memory
    report.notes = file.notes + process.notes + modules.notes
    return [report]
  }
}

extension CoreProcess {
  /// The thread that the signal hit: Linux writes it first.
  fileprivate var crashedThread: Int? {
    guard !isRequested else { return nil }
    if let id = signalledThread, let index = threads.firstIndex(where: { $0.id == id }) {
      return index
    }
    return threads.isEmpty ? nil : 0
  }

  private var signalNumber: Int32 { signal?.number ?? threads.first?.signal ?? 0 }

  /// Whether a debugger wrote the core of a process that continued. Such a tool leaves out the signal, or
  /// names the one by which it stopped the process: no system writes a core for that.
  fileprivate var isRequested: Bool {
    signalNumber == 0 || LinuxSignal.stops.contains(signalName(UInt32(bitPattern: signalNumber)))
  }

  fileprivate var reason: CrashReason {
    var reason = CrashReason()
    guard !isRequested else {
      reason.type = "DUMP_REQUESTED"
      return reason
    }
    let number = UInt32(bitPattern: signalNumber)
    reason.signal = signalName(number)
    guard let signal else { return reason }
    if systemName == "Linux" {
      reason.code = LinuxSignal.code(signal.code, of: number)
      if LinuxSignal.hasAddress(number, code: signal.code) {
        reason.address = Address(signal.address)
      }
    } else if signal.code != 0 {
      reason.code = String(signal.code)
    }
    return reason
  }

  private func signalName(_ number: UInt32) -> String {
    let name = systemName == "Linux" ? LinuxSignal.name(number) : LinuxSignal.nameOnBSD(number)
    return name ?? "signal \(number)"
  }
}
