internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ObjectFormats
internal import StackWalking
internal import UnwindRules

/// Walks the stacks that `scripts/oracles/walking/stepper.c` wrote, and compares them with the open calls.
///
/// Prints the number of steps and calls, of calls found, and of steps with all calls found, and the first
/// differences; with rounds also the number of frames walked per second.
enum WalkBench {
  /// Maximum number of printed differences.
  private static let shown = 20
  private static let names =
    "rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip".split(separator: " ")
    .map(String.init)

  private struct Step {
    var registers: [Register]
    var walker: StackWalker
    var calls: [UInt64]
  }

  static func run(file: String, rounds: Int?) throws {
    let view = try ByteView(mapping: file)
    var reader = ByteReader(view.bytes, reading: "steps")
    var code = StepCode(try modules(&reader))
    var steps: [Step] = []
    while try reader.read(UInt8.self) == 1 {
      if let step = try step(&reader, in: view) { steps.append(step) }
    }
    var (calls, found, right, printed) = (0, 0, 0, 0)
    for step in steps {
      let frames = try walk(step, in: &code).dropFirst().map { $0.address?.value ?? 0 }
      let same = zip(frames, step.calls).count { $0.0 == $0.1 }
      calls += step.calls.count
      found += same
      if same == step.calls.count {
        right += 1
      } else if printed < shown {
        printed += 1
        print(" \(code.text(step.registers.last?.value ?? 0)):")
        print("   open   \(step.calls.prefix(6).map(code.text).joined(separator: " "))")
        print("   walked \(frames.prefix(6).map(code.text).joined(separator: " "))")
      }
    }
    print("steps \(steps.count)\ncalls \(calls)\nfound \(found)\nright \(right)")
    guard let rounds else { return }
    var frames = 0
    let start = Measure.processorTime
    for _ in 0..<rounds {
      for step in steps { frames += try walk(step, in: &code).count }
    }
    print("frames-per-second \(Int(Double(frames) / (Measure.processorTime - start)))")
  }

  private static func walk(_ step: Step, in code: inout StepCode) throws -> [Frame] {
    var budget = WalkBudget()
    return try step.walker.walk(step.registers, in: &code, &budget).frames
  }

  @_lifetime(reader: copy reader)
  private static func modules(_ reader: inout ByteReader) throws -> [StepModule] {
    try reader.skip(8)
    var modules: [StepModule] = []
    for _ in 0..<(try reader.read(UInt32.self)) {
      let base: UInt64 = try reader.read()
      let end: UInt64 = try reader.read()
      let size: UInt32 = try reader.read()
      let path = String(
        decoding: ByteView(copying: try reader.readBytes(Int(size))).array, as: UTF8.self)
      modules.append(try StepModule(path, base..<max(base, end)))
    }
    return modules
  }

  @_lifetime(reader: copy reader)
  private static func step(_ reader: inout ByteReader, in view: ByteView) throws -> Step? {
    var registers: [Register] = []
    for name in names { registers.append(Register(name, try reader.read(UInt64.self))) }
    let start: UInt64 = try reader.read()
    let size: UInt32 = try reader.read()
    let stack = view.clamped(reader.position..<reader.position + Int(size))
    try reader.skip(Int(size))
    var calls: [UInt64] = []
    for _ in 0..<(try reader.read(UInt32.self)) { calls.append(try reader.read(UInt64.self)) }
    let memory = ProcessMemory(
      [.init(start: start, bytes: stack)], addressSize: 8, endianness: .little)
    return StackWalker(memory, architecture: .x86_64, os: "Linux").map {
      Step(registers: registers, walker: $0, calls: calls)
    }
  }
}

/// A file that was mapped while the program was stepped.
private struct StepModule {
  let path: String
  let addresses: Range<UInt64>
  let rules: [UnwindRules]

  init(_ path: String, _ addresses: Range<UInt64>) throws {
    self.path = path
    self.addresses = addresses
    let object = try ObjectFile.objects(in: ByteView(mapping: path)).first
    rules = try object.map { [try UnwindRules(opening: UnwindRules.compile($0))] } ?? []
  }
}

private struct StepCode: WalkedCode {
  private let modules: [StepModule]

  init(_ modules: [StepModule]) { self.modules = modules }

  func image(at address: Address) -> (image: Int, offset: UInt64)? {
    for index in modules.indices where modules[index].addresses.contains(address.value) {
      return (index, address.value - modules[index].addresses.lowerBound)
    }
    return nil
  }

  func rules(of image: Int) -> [UnwindRules] { modules[image].rules }

  func isCode(_ address: Address) -> Bool {
    guard let (image, offset) = image(at: address), let offset = UInt32(exactly: offset) else {
      return false
    }
    return modules[image].rules.contains { $0.lookUp(offset) != nil }
  }

  func functionStart(at address: Address) -> Address? { nil }
  func isSwift(_ image: Int) -> Bool { false }
  func isResumption(at address: Address) -> Bool { false }
  func functionOfGo(at address: Address) -> String? { nil }
  func variable(_ name: String, ofImageAt address: Address) -> Address? { nil }
  func code(at address: Address, count: Int) -> UInt64? { nil }

  func text(_ address: UInt64) -> String {
    guard let (image, offset) = image(at: Address(address)) else {
      return String(address, radix: 16)
    }
    let name = modules[image].path.split(separator: "/").last ?? ""
    return "\(name)+\(String(offset, radix: 16))"
  }
}
