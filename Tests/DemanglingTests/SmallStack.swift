import Glibc
import Testing

/// A thread with as much stack as names may take.
enum SmallStack {
  /// Without optimisation the frames are several times as large.
  #if DEBUG
    private static let size = 4 << 20
  #else
    private static let size = 512 << 10
  #endif

  private final class Call {
    let body: () -> [String?]
    var texts: [String?] = []
    init(_ body: @escaping () -> [String?]) { self.body = body }
  }

  static func run(_ body: @escaping () -> [String?]) throws -> [String?] {
    let call = Call(body)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, size)
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        let call = Unmanaged<Call>.fromOpaque(context).takeUnretainedValue()
        call.texts = call.body()
        return nil
      }, Unmanaged.passUnretained(call).toOpaque())
    try #require(status == 0)
    pthread_join(thread, nil)
    return call.texts
  }
}
