import Bytes
import ObjectFormats
import SecondOpinion
import TestSupport
import Testing

@Suite("Second opinion")
struct SecondOpinionTests {}
