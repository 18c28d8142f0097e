/// A lazy automaton that examines each byte of a text once: its states are sets of steps, created
/// when a text first needs them and cached.
package struct PatternMachine {
  /// The state without a way out, of machines that begin at one position only.
  package static let dead: Int32 = 0
  /// The number of cached states at which all are discarded.
  private let stateLimit: Int
  private static let unknown: Int32 = -1

  private let program: PatternProgram
  /// Whether patterns may begin at every byte.
  private let isEverywhere: Bool
  @usableFromInline let classOfByte: [UInt8]
  @usableFromInline let classCount: Int
  private let memberOfClass: [UInt8]
  private var numbers: [[Int32]: Int32] = [:]
  private var sets: [[Int32]] = []
  @usableFromInline private(set) var table: [Int32] = []
  @usableFromInline private(set) var labels: [UInt64] = []
  private var marks: [Int32]
  private var mark: Int32 = 0
  package private(set) var start: Int32 = 0

  package init(_ program: PatternProgram, isEverywhere: Bool, stateLimit: Int = 4_000) {
    self.stateLimit = stateLimit
    self.program = program
    self.isEverywhere = isEverywhere
    marks = Array(repeating: 0, count: program.steps.count)
    var sets: Set<ByteSet> = []
    for case .byte(let set, _) in program.steps { sets.insert(set) }
    // Bytes that no set distinguishes share a class.
    var classes: [[Bool]: UInt8] = [:]
    var classOfByte: [UInt8] = []
    var members: [UInt8] = []
    let order = Array(sets)
    for byte in UInt8.min...UInt8.max {
      let key = order.map { $0.contains(byte) }
      let number = classes[key] ?? UInt8(classes.count)
      if classes[key] == nil {
        classes[key] = number
        members.append(byte)
      }
      classOfByte.append(number)
    }
    self.classOfByte = classOfByte
    classCount = members.count
    memberOfClass = members
    forget()
  }

  private mutating func forget() {
    numbers.removeAll()
    sets.removeAll()
    table.removeAll()
    labels.removeAll()
    // Between two resets each entry of the table is computed at most once, so the count of marks
    // stays far from overflow.
    mark = 0
    for step in marks.indices { marks[step] = 0 }
    _ = number(of: [])
    start = number(of: closure(program.entries))
  }

  /// The patterns that match in `state`, a bit each.
  @inlinable package func fits(_ state: Int32) -> UInt64 { labels[Int(state)] }

  /// The state after `byte`.
  @inlinable package mutating func step(_ state: Int32, _ byte: UInt8) -> Int32 {
    let index = Int(state) * classCount + Int(classOfByte[Int(byte)])
    let known = table[index]
    return known >= 0 ? known : work(state, byte, index)
  }

  /// Computes the state after `byte` on its first use.
  @usableFromInline mutating func work(_ state: Int32, _ byte: UInt8, _ index: Int) -> Int32 {
    let next = work(sets[Int(state)], memberOfClass[Int(classOfByte[Int(byte)])])
    if sets.count >= stateLimit {
      forget()
      return number(of: next)
    }
    let number = number(of: next)
    table[index] = number
    return number
  }

  private mutating func work(_ set: [Int32], _ byte: UInt8) -> [Int32] {
    var next: [Int] = []
    for step in set {
      if case .byte(let bytes, let target) = program.steps[Int(step)], bytes.contains(byte) {
        next.append(target)
      }
    }
    return closure(isEverywhere ? next + program.entries : next)
  }

  /// The steps reachable without a byte, in order: those that consume one and those that match.
  private mutating func closure(_ steps: [Int]) -> [Int32] {
    mark += 1
    var rest = steps
    var found: [Int32] = []
    while let step = rest.popLast() {
      guard marks[step] != mark else { continue }
      marks[step] = mark
      switch program.steps[step] {
      case .byte, .fits: found.append(Int32(step))
      case .jump(let target): rest.append(target)
      case .split(let one, let other):
        rest.append(one)
        rest.append(other)
      }
    }
    return found.sorted()
  }

  private mutating func number(of set: [Int32]) -> Int32 {
    if let known = numbers[set] { return known }
    let number = Int32(sets.count)
    numbers[set] = number
    sets.append(set)
    table += Array(repeating: Self.unknown, count: classCount)
    var fits: UInt64 = 0
    for step in set {
      if case .fits(let label) = program.steps[Int(step)] { fits |= 1 << UInt64(label) }
    }
    labels.append(fits)
    return number
  }
}
