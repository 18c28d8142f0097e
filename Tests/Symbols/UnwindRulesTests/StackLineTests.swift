import Bytes
import Identifiers
import Testing
import UnwindRules

@Suite("STACK lines of Breakpad's files")
struct StackLineTests {
  static func text(_ lines: String, _ architecture: Architecture = .x86_64) throws -> UnwindText {
    try UnwindText(
      .stackLines(ByteView(lines.utf8)),
      UnwindTarget(architecture: architecture, addressSize: architecture == .i386 ? 4 : 8))
  }

  @Test(
    "An expression that is a usual rule becomes one",
    arguments: [
      ("$rbp: .cfa -16 + ^", "rbp=c-16"), ("$rbp: .cfa 16 - ^", "rbp=c-16"),
      ("$rbp: .cfa 8 4 * - ^", "rbp=at(cfa, consts 8, consts 4, mul, minus)"),
      ("$rbp: $rbp", "rbp=s"), ("$rbp: $rbx", "rbp=rbx"), ("$rbp: .undef", "rbp=u"),
      ("$rbp: .cfa 24 -", "rbp=v-24"), ("$rbp: $rsp 8 + ^", "rbp=at(breg7 8)"),
      ("$rbp: $rsp 16 @", "rbp=(breg7 0, consts -16, and)"),
      ("$rbp: $rsp ^ 8 +", "rbp=(breg7 0, deref, plus_uconst 8)"),
      ("$rbp: $rax $rbx /", "rbp=(breg0 0, breg3 0, udiv)"),
      ("$rbp: $rax 7 %", "rbp=(breg0 0, consts 7, umod)"), ("rbp: .cfa -16 + ^", "rbp=c-16"),
      ("$nowhere: .cfa ^", ""),
    ])
  func rules(line: String, rule: String) throws {
    let text = try Self.text("STACK CFI INIT 1000 20 .cfa: $rsp 8 + .ra: .cfa -8 + ^ \(line)\n")
    let words = ["rsp+8", rule, "ra=c-8"].filter { !$0.isEmpty }
    #expect(text[0x1000] == words.joined(separator: " "))
    #expect(text.rules.notes.isEmpty)
  }

  @Test("Lines change single rules from their address on")
  func deltas() throws {
    let text = try Self.text(
      """
      STACK CFI INIT 1000 20 .cfa: $rsp 8 + .ra: .cfa -8 + ^
      STACK CFI 1001 .cfa: $rsp 16 + $rbp: .cfa -16 + ^
      STACK CFI 1004 .cfa: $rbp 16 +
      STACK CFI 1030 .cfa: $rbp 32 +
      STACK CFI INIT 2000 8 .cfa: $rax ^ .ra: $rdi
      """)
    #expect(
      text.lines == [
        "0x1000 rsp+8 ra=c-8", "0x1001 rsp+16 rbp=c-16 ra=c-8", "0x1004 rbp+16 rbp=c-16 ra=c-8",
        "0x1020 -", "0x2000 (breg0 0, deref) ra=rdi", "0x2008 -",
      ])
  }

  @Test("Registers of Arm have other names, and the program counter its own rule")
  func arm64() throws {
    let text = try Self.text(
      "STACK CFI INIT 1000 8 .cfa: sp 16 + .ra: .cfa -8 + ^ x29: .cfa -16 + ^ x30: .cfa -8 + ^\n",
      .arm64)
    #expect(text[0x1000] == "sp+16 x29=c-16 x30=c-8 ra=c-8")
    let fp = try Self.text("STACK CFI INIT 1000 8 .cfa: fp 16 + .ra: lr\n", .arm64)
    #expect(fp[0x1000] == "x29+16 ra=x30")
  }

  @Test(
    "A line that cannot be worked out is counted",
    arguments: [
      "STACK CFI INIT 1000 20 .cfa: $rsp 8 +", "STACK CFI INIT 1000 20 .ra: .cfa ^",
      "STACK CFI INIT 1000 20 .cfa: $rsp + .ra: .cfa ^",
      "STACK CFI INIT 1000 20 .cfa: $rsp 0 / .ra: .cfa ^",
      "STACK CFI INIT 1000 0 .cfa: $rsp 8 + .ra: .cfa ^", "STACK CFI 1000 .cfa: $rsp 8 +",
      "STACK CFI INIT zz 20 .cfa: $rsp 8 + .ra: .cfa ^", "STACK WIN 4 1000 20 0 0 0 0 0 0 1 $eip",
    ])
  func damage(line: String) throws {
    let text = try Self.text(line + "\n")
    #expect(text.lines.isEmpty)
    #expect(text.rules.notes == ["1 STACK line cannot be read, the first is line 1"])
  }

  @Test(
    "Programs for 32-bit Windows are worked out beforehand",
    arguments: [
      (
        "$T0 $ebp = $eip $T0 4 + ^ = $ebp $T0 ^ = $esp $T0 8 + =",
        "ebp+8 ebp=c-8 ra=c-4 params=8"
      ),
      (
        "$T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =  $20 $T0 16 - ^ =  $23 $T0 20 - ^ =",
        "(breg4 0, callee_params, plus, plus_uconst 20) ebx=c-20 esi=c-24 ra=c-4 params=8 searched"
      ),
      (
        "$T0 $ebp = $T2 $esp = $T1 .raSearchStart = $eip $T1 ^ = $ebp $T0 = $esp $T1 4 + =",
        "(breg4 0, callee_params, plus, plus_uconst 20) ebp=s ra=c-4 params=8 searched"
      ),
      // Glued, as some writers do it.
      ("$T0 $ebp 204 + =$eip $T0 4 + ^ =$esp $T0 8 + =", "ebp+212 ra=c-4 params=8"),
      // An aligned stack: the return address is searched for at the frame pointer.
      (
        "$T1 .raSearch = $T0 $T1 4 - 8 @ = $ebp $T1 4 - ^ = $eip $T1 ^ = $esp $T1 4 + = $20 $T0 8 - ^ =",
        "ebp+8 ebx=at(breg5 0, consts -8, and, consts -8, plus) ebp=c-8 ra=c-4 params=8 searched"
      ),
    ])
  func programs(program: String, row: String) throws {
    let text = try Self.text(
      "STACK WIN 4 1000 20 1 0 8 4 c 0 1 \(program)\n", .i386)
    #expect(text.lines == ["0x1000 \(row)", "0x1020 -"])
    #expect(text.rules.notes.isEmpty)
  }

  @Test("Frames without a program, and the inner of two that overlap")
  func frames() throws {
    let text = try Self.text(
      """
      STACK WIN 0 1000 40 1 0 c 4 8 0 0 0
      STACK WIN 0 1010 10 1 0 c 4 8 0 0 1
      STACK WIN 3 1000 40 1 0 c 4 8 0 0 0
      """, .i386)
    let cfa = "(breg4 0, callee_params, plus, plus_uconst 16)"
    #expect(
      text.lines == [
        "0x1000 \(cfa) ra=c-4 params=12 searched",
        "0x1010 \(cfa) ebp=c-20 ra=c-4 params=12 searched",
        "0x1020 \(cfa) ra=c-4 params=12 searched", "0x1040 -",
      ])
  }

  @Test("A program that doubles a term without end is refused")
  func doubling() throws {
    let doubling = String(repeating: "$T0 $T0 $T0 * = ", count: 60)
    let text = try Self.text(
      "STACK WIN 4 1000 20 1 0 8 4 c 0 1 $T0 $esp = \(doubling)$eip $T0 = $esp $T0 =\n", .i386)
    #expect(text.lines.isEmpty && text.rules.notes.count == 1)
  }
}
