/// The exceptions of Windows by their codes.
///
/// Sources: `ntstatus.h`; `FAST_FAIL_*` in `winnt.h`.
enum WindowsException {
  static let accessViolation: UInt32 = 0xc000_0005
  static let inPageError: UInt32 = 0xc000_0006
  static let stackBufferOverrun: UInt32 = 0xc000_0409
  /// Written by tools that dump a program that goes on.
  static let simulated: UInt32 = 0x0517_a7ed

  /// - Parameter parameters: Of the exception record.
  static func name(_ code: UInt32, parameters: [UInt64]) -> String {
    switch code {
    case accessViolation, inPageError:
      let name =
        code == accessViolation ? "EXCEPTION_ACCESS_VIOLATION" : "EXCEPTION_IN_PAGE_ERROR"
      return switch parameters.first {
      case 0?: name + "_READ"
      case 1?: name + "_WRITE"
      case 8?: name + "_EXEC"
      default: name
      }
    default: return names[code] ?? "0x" + String(code, radix: 16)
    }
  }

  /// Why a program ended itself without delay; `nil` for other exceptions.
  static func failFast(_ code: UInt32, parameters: [UInt64]) -> String? {
    guard code == stackBufferOverrun, let first = parameters.first else { return nil }
    return failFasts[first] ?? "FAST_FAIL 0x" + String(first, radix: 16)
  }

  private static let names: [UInt32: String] = [
    0x8000_0001: "EXCEPTION_GUARD_PAGE", 0x8000_0002: "EXCEPTION_DATATYPE_MISALIGNMENT",
    0x8000_0003: "EXCEPTION_BREAKPOINT", 0x8000_0004: "EXCEPTION_SINGLE_STEP",
    0xc000_0008: "EXCEPTION_INVALID_HANDLE", 0xc000_001d: "EXCEPTION_ILLEGAL_INSTRUCTION",
    0xc000_0025: "EXCEPTION_NONCONTINUABLE_EXCEPTION",
    0xc000_0026: "EXCEPTION_INVALID_DISPOSITION",
    0xc000_008c: "EXCEPTION_BOUNDS_EXCEEDED", 0xc000_008d: "EXCEPTION_FLT_DENORMAL_OPERAND",
    0xc000_008e: "EXCEPTION_FLT_DIVIDE_BY_ZERO", 0xc000_008f: "EXCEPTION_FLT_INEXACT_RESULT",
    0xc000_0090: "EXCEPTION_FLT_INVALID_OPERATION", 0xc000_0091: "EXCEPTION_FLT_OVERFLOW",
    0xc000_0092: "EXCEPTION_FLT_STACK_CHECK", 0xc000_0093: "EXCEPTION_FLT_UNDERFLOW",
    0xc000_0094: "EXCEPTION_INT_DIVIDE_BY_ZERO", 0xc000_0095: "EXCEPTION_INT_OVERFLOW",
    0xc000_0096: "EXCEPTION_PRIV_INSTRUCTION", 0xc000_00fd: "EXCEPTION_STACK_OVERFLOW",
    0xc000_0194: "EXCEPTION_POSSIBLE_DEADLOCK",
    0xc000_0017: "STATUS_NO_MEMORY", 0xc000_0135: "STATUS_DLL_NOT_FOUND",
    0xc000_0138: "STATUS_ORDINAL_NOT_FOUND", 0xc000_0139: "STATUS_ENTRYPOINT_NOT_FOUND",
    0xc000_0142: "STATUS_DLL_INIT_FAILED", 0xc000_0374: "STATUS_HEAP_CORRUPTION",
    0xc000_0409: "EXCEPTION_STACK_BUFFER_OVERRUN", 0xc000_0417: "STATUS_INVALID_CRUNTIME_PARAMETER",
    0xc000_0420: "STATUS_ASSERTION_FAILURE", 0xc000_0602: "STATUS_FAIL_FAST_EXCEPTION",
    // Chromium ends a process that cannot allocate with it.
    0xe000_0008: "Out of Memory",
    0xe06d_7363: "Unhandled C++ Exception", 0xe043_4352: "MANAGED_EXCEPTION_CODE_V4",
    simulated: "Simulated Exception",
  ]

  private static let failFasts: [UInt64: String] = [
    0: "FAST_FAIL_LEGACY_GS_VIOLATION", 1: "FAST_FAIL_VTGUARD_CHECK_FAILURE",
    2: "FAST_FAIL_STACK_COOKIE_CHECK_FAILURE", 3: "FAST_FAIL_CORRUPT_LIST_ENTRY",
    4: "FAST_FAIL_INCORRECT_STACK", 5: "FAST_FAIL_INVALID_ARG",
    6: "FAST_FAIL_GS_COOKIE_INIT", 7: "FAST_FAIL_FATAL_APP_EXIT",
    8: "FAST_FAIL_RANGE_CHECK_FAILURE", 9: "FAST_FAIL_UNSAFE_REGISTRY_ACCESS",
    10: "FAST_FAIL_GUARD_ICALL_CHECK_FAILURE", 11: "FAST_FAIL_GUARD_WRITE_CHECK_FAILURE",
    14: "FAST_FAIL_INVALID_REFERENCE_COUNT", 24: "FAST_FAIL_INVALID_IMAGE_BASE",
    26: "FAST_FAIL_UNSAFE_EXTENSION_CALL", 39: "FAST_FAIL_INVALID_DISPATCH_CONTEXT",
    50: "FAST_FAIL_HEAP_METADATA_CORRUPTION", 56: "FAST_FAIL_UNEXPECTED_CALL",
    57: "FAST_FAIL_CONTROL_INVALID_RETURN_ADDRESS", 71: "FAST_FAIL_ASAN_ERROR",
    73: "FAST_FAIL_POINTER_AUTH_INVALID_RETURN_ADDRESS",
  ]
}
