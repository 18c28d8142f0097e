internal import Bytes
internal import CrashModel
internal import Identifiers

/// The exception that a minidump was written for.
///
///     OFFSET  SIZE  FIELD
///          0     4  thread
///          8     4  code
///         12     4  flags
///         24     8  address
///         32     4  number of parameters
///         40   120  parameters
///        160     8  size and offset of the thread's context at the exception
///
/// Source: MINIDUMP_EXCEPTION_STREAM in minidumpapiset.h; fields on systems other than Windows: Crashpad,
/// `minidump/minidump_exception_writer.cc`.
struct MinidumpException {
  let thread: UInt32
  let code: UInt32
  let flags: UInt32
  let address: UInt64
  let parameters: [UInt64]
  /// `nil` if the file has none.
  let context: ByteView?

  /// - Returns: `nil` for a stream that is cut off before the address.
  init?(_ stream: ByteView, in file: MinidumpFile) {
    guard let thread = file.number(stream, at: 0, as: UInt32.self),
      let code = file.number(stream, at: 8, as: UInt32.self),
      let flags = file.number(stream, at: 12, as: UInt32.self),
      let address = file.number(stream, at: 24, as: UInt64.self)
    else { return nil }
    self.thread = thread
    self.code = code
    self.flags = flags
    self.address = address
    let count = min(file.number(stream, at: 32, as: UInt32.self) ?? 0, 15)
    parameters = (0..<Int(count)).compactMap {
      file.number(stream, at: 40 + $0 * 8, as: UInt64.self)
    }
    if let size = file.number(stream, at: 160, as: UInt32.self),
      let offset = file.number(stream, at: 164, as: UInt32.self)
    {
      context = file.part(at: offset, size: size)
    } else {
      context = nil
    }
  }

  /// Whether the program requested the dump and continued.
  func isRequested(_ system: MinidumpSystem) -> Bool {
    switch system.family {
    case .windows: code == WindowsException.simulated
    case .apple: code == MachException.simulated
    default: code == 0xffff_ffff
    }
  }

  /// - Parameter isCrashpad: Whether Crashpad wrote the dump.
  func reason(_ system: MinidumpSystem, isCrashpad: Bool) -> CrashReason {
    var reason = CrashReason()
    switch system.family {
    case .windows:
      reason.type = WindowsException.name(code, parameters: parameters)
      reason.code = WindowsException.detail(code, parameters: parameters)
      let isAccess = [WindowsException.accessViolation, WindowsException.inPageError].contains(code)
      reason.address = truncated(isAccess && parameters.count > 1 ? parameters[1] : address, system)
    case .apple:
      let isARM = [.arm64, .oldARM64, .arm].contains(system.processor)
      reason.type = MachException.name(code)
      reason.code = MachException.code(
        flags, of: code, wide: parameters.count > 1 ? parameters[1] : nil, isARM: isARM)
      reason.signal = MachException.signal(code, code: flags)
      reason.message = MachException.resourceText(
        code, parameters.count > 2 ? (parameters[1], parameters[2]) : nil)
      reason.address = truncated(address, system)
    default:
      guard code != 0xffff_ffff else {
        reason.type = "DUMP_REQUESTED"
        return reason
      }
      let subcode = Int32(bitPattern: flags)
      reason.signal = LinuxSignal.name(code) ?? "signal \(code)"
      // Older writers left out the code; the value in the address field is an address.
      let isUncoded = !isCrashpad && subcode == 0
      if !isUncoded { reason.code = LinuxSignal.code(subcode, of: code) }
      if isUncoded
        ? [7, 11].contains(code) || LinuxSignal.faults.contains(code) && address != 0
        : subcode <= 0 || LinuxSignal.hasAddress(code, code: subcode)
      {
        reason.address = truncated(address, system)
      }
    }
    return reason
  }

  /// Some writers extend the sign of a 32-bit address.
  private func truncated(_ address: UInt64, _ system: MinidumpSystem) -> Address {
    Address(system.processor.addressSize == 4 ? address & 0xffff_ffff : address)
  }
}
