public import Identifiers
public import UnwindRules

/// The code of a process, as a walk needs it.
public protocol WalkedCode {
  /// The image that holds an address, and how far the address is from its start.
  mutating func image(at address: Address) throws -> (image: Int, offset: UInt64)?
  /// How the callers of the functions of an image are found, the best first; each file of the image may
  /// know others of its functions.
  mutating func rules(of image: Int) throws -> [UnwindRules]
  /// Whether a function is at an address, as far as is known.
  mutating func isCode(_ address: Address) throws -> Bool
  /// Where the function that holds an address begins, where functions are known.
  mutating func functionStart(at address: Address) throws -> Address?
  /// Whether an image has code of Swift, some of whose functions may wait.
  mutating func isSwift(_ image: Int) throws -> Bool
  /// Whether a function of Swift that has waited goes on at an address, as far as names are known.
  mutating func isResumption(at address: Address) throws -> Bool
  /// The name of the function that holds an address, if it is of a program of Go, without the suffix of its
  /// calling convention: `runtime.mcall`.
  mutating func functionOfGo(at address: Address) throws -> String?
  /// Where a variable of the image lies that holds an address, as far as variables are known.
  mutating func variable(_ name: String, ofImageAt address: Address) throws -> Address?
  /// Up to `count` bytes of code, at most 8, as a little-endian number, from the program's file; `nil`
  /// unless it has all of them.
  mutating func code(at address: Address, count: Int) throws -> UInt64?
}
