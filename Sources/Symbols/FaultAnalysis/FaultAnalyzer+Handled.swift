internal import CrashModel
internal import Identifiers

/// Faults that a handler of the program's own answered by ending the process.
extension FaultAnalyzer {
  /// The overflow of a stack that a signal handler, which ran on another, turned into the end of the process, as
  /// the runtime of Rust does.
  func handledOverflow() -> Fault? {
    guard let (signalFrame, interrupted) = interruption,
      let address = faultAddress(savedFor: signalFrame)
    else { return nil }
    var analyzer = self
    analyzer.registers = RegisterValues(interrupted.registers)
    let failure = Failure(kind: nil, address: address)
    guard analyzer.isStackOverflow(failure, address) else { return nil }
    return Fault(
      summary: "Stack overflow: access at \(Address(address))"
        + (analyzer.registers.stackPointer.map {
          " (\(analyzer.registers.stackPointerName) = \(Address($0)))"
        }
          ?? "")
        + ", which a handler of the signal answered by ending the process",
      kind: .stackOverflow, address: Address(address))
  }

  /// The code that ends a signal handler, and the function that the signal interrupted: the two addresses of a
  /// stack that are exact, one after the other.
  private var interruption: (signalFrame: Frame, interrupted: Frame)? {
    let calls = frames.filter { !$0.inlined }
    for index in calls.indices.dropFirst(2)
    where calls[index].position == .exact && calls[index - 1].position == .exact {
      return (calls[index - 1], calls[index])
    }
    return nil
  }

  /// The address of the access for which the processor called the kernel, which saved it for the handler.
  ///
  ///     x86-64  64-bit Arm  FIELD, from the stack pointer of the code that ends the handler
  ///        200              number of the trap, 14 for a page fault
  ///        216         304  address
  ///
  /// Source: `struct sigcontext` in `arch/x86/include/uapi/asm/sigcontext.h` and
  /// `arch/arm64/include/uapi/asm/sigcontext.h` of Linux.
  private func faultAddress(savedFor frame: Frame) -> UInt64? {
    guard report.os.name == "Linux" || report.os.name == "Android", space.memory.addressSize == 8,
      let pointer = RegisterValues(frame.registers).stackPointer
    else { return nil }
    if space.isARM { return space.memory.word(at: pointer &+ 304).flatMap { $0 == 0 ? nil : $0 } }
    return space.memory.word(at: pointer &+ 200) == 14 ? space.memory.word(at: pointer &+ 216) : nil
  }
}
