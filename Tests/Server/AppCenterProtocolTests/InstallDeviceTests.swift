import Testing
import Updates

@testable import AppCenterProtocol

@Suite("The device of a browser") struct InstallDeviceTests {
  @Test(
    "Browsers are known by what they send",
    arguments: [
      (UserAgents.iPhone, InstallDevice.iOS), (UserAgents.iPadAsMac, .mac),
      (UserAgents.mac, .mac), (UserAgents.pixel, .android), (UserAgents.tabletAsLinux, .linux),
      (UserAgents.windows, .windows), (UserAgents.lumia, .otherPhone),
      (UserAgents.kaiOS, .otherPhone),
      (
        "Mozilla/5.0 (iPad; CPU OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
          + "Version/12.1.2 Mobile/15E148 Safari/604.1", .iOS
      ),
      (
        "Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X) AppleWebKit/604.1.34 (KHTML, "
          + "like Gecko) CriOS/61.0.3163.73 Mobile/16A366 Safari/604.1", .iOS
      ),
      (
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
          + "Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/466.0.0.41.108;FBDV/iPhone14,5]", .iOS
      ),
      (
        "Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) "
          + "Silk/108.5.8 like Chrome/108.0.5359.220 Safari/537.36", .android
      ),
      (
        "Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0", .android
      ),
      (
        "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) "
          + "Chrome/126.0.0.0 Safari/537.36", .linux
      ),
      ("curl/8.5.0", .unknown), ("", .unknown), ("\u{0}\u{fffd}", .unknown),
    ])
  func known(agent: String, device: InstallDevice) {
    #expect(InstallDevice(userAgent: agent) == device)
  }

  @Test("A phone is shown its own system alone, a computer all of them, its own first")
  func shown() {
    #expect(InstallDevice(userAgent: nil) == .unknown)
    #expect(InstallDevice.iOS.shown == [.iOS])
    #expect(InstallDevice.android.shown == [.android])
    #expect(InstallDevice.otherPhone.shown.isEmpty)
    #expect(InstallDevice.windows.shown.first == .windows)
    for device in [InstallDevice.mac, .windows, .linux, .unknown] {
      #expect(Set(device.shown).count == 5 && device.shown.count == 5)
    }
  }
}

/// What browsers of real devices send.
enum UserAgents {
  static let iPhone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    + "Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
  static let mac =
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    + "Version/17.5 Safari/605.1.15"
  /// iPadOS sends the same as a Mac since version 13.
  static let iPadAsMac = mac
  static let pixel =
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    + "Chrome/126.0.0.0 Mobile Safari/537.36"
  static let tabletAsLinux =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    + "SamsungBrowser/25.0 Chrome/121.0.0.0 Safari/537.36"
  static let windows =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    + "Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0"
  static let lumia =
    "Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0; Touch; rv:11.0; "
    + "IEMobile/11.0; NOKIA; Lumia 520) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, "
    + "like Gecko) Mobile Safari/537"
  static let kaiOS =
    "Mozilla/5.0 (Mobile; Nokia 8110 4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5"
}
