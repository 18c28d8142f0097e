import Bytes
import CrashModel
import ObjectFormats
import Testing
import UnwindRules
