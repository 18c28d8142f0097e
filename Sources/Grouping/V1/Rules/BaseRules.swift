extension RuleListsV1 {
  /// The bottoms of threads and event loops.
  static let base = RuleListV1(
    name: "base.rules",
    text: """
      # process and thread entry
      main  entry
      wmain  entry
      WinMain  entry
      wWinMain  entry
      _main  entry
      static *.main()  entry
      static *.$main()  entry
      *.$main()  entry
      *.main()  bottom  entry
      main()  entry
      async_Main  entry
      _start
      start  bottom
      _dyld_start
      __dyld_start
      dyld4::prepare
      dyldbootstrap::start
      start_sim
      __libc_start_main
      __libc_start_main_impl
      __libc_start_call_main
      __libc_start_call_main_impl
      __libc_init
      _start_main
      generic_start_main*
      libc_start_main_stage2
      libc_start_main
      start_thread
      start_task  bottom
      clone
      __clone
      __clone3
      clone3
      __clone_internal
      thread_start
      _thread_start
      _pthread_start
      _pthread_body
      _pthread_wqthread
      start_wqthread
      __pthread_start
      __pthread_start(void*)
      __start_thread
      __bionic_clone
      _pthread_struct_init
      BaseThreadInitThunk
      RtlUserThreadStart
      _RtlUserThreadStart
      __RtlUserThreadStart
      LdrInitializeThunk
      LdrpInitializeProcess
      __scrt_common_main*
      __scrt_common_main_seh
      __tmainCRTStartup
      invoke_main
      mainCRTStartup
      WinMainCRTStartup
      wmainCRTStartup
      thread_start<T>
      invoke_thread_procedure
      _threadstart*
      _beginthreadex*
      UIApplicationMain
      NSApplicationMain
      _NSApplicationMain
      NSExtensionMain
      WKExtensionMain
      EXExtensionMain
      UIApplicationMain*
      UIKit.UIApplicationMain*
      -[UIApplication _run]
      -[NSApplication run]
      -[NSApplication nextEventMatchingMask:*
      -[NSApplication(NSEvent*
      -[NSApplication(NSEventRouting) *
      _DPSNextEvent
      AEProcessAppleEvent
      _BlockUntilNextEventMatchingListInMode*
      ReceiveNextEventCommon
      RunCurrentEventLoopInMode
      GSEventRun
      GSEventRunModal
      CFRunLoopRun
      CFRunLoopRunSpecific
      CFRunLoopRunInMode
      _CFRunLoopRunSpecific*
      __CFRunLoopRun
      __CFRunLoopDoSource*
      __CFRunLoopDoBlocks
      __CFRunLoopDoTimer*
      __CFRunLoopDoObservers
      __CFRUNLOOP_IS_*
      __CFRUNLOOP_IS_CALLING_OUT_TO_*
      CFRUNLOOP_IS_*
      -[NSRunLoop(NSRunLoop) *
      -[NSRunLoop run*
      __NSThread__start__
      __NSThreadPerformPerform
      __NSFireDelayedPerform
      -[NSThread main]
      -[NSThread start]
      Foundation.Thread.main*
      Thread.main()
      NSThreadStart(_:)
      Foundation.NSThreadStart*
      _dispatch_call_block_and_release
      _dispatch_client_callout*
      _dispatch_main_queue_*
      _dispatch_root_queue_*
      _dispatch_worker_thread*
      _dispatch_lane_*
      _dispatch_queue_*
      _dispatch_source_*
      _dispatch_continuation_*
      _dispatch_kevent_*
      _dispatch_mach_*
      _dispatch_once_callout
      _dispatch_sync_*
      _dispatch_async_*
      _dispatch_block_*
      _dispatch_workloop_*
      _dispatch_mgr_*
      _dispatch_runloop_*
      _dispatch_event_loop_*
      _dispatch_group_*
      _dispatch_*
      dispatch_main
      dispatch_once
      dispatch_once_f
      dispatch_sync
      dispatch_async*
      dispatch_apply*
      dispatch_group_*
      -[__NSOperationInternal *
      __NSOPERATION_IS_*
      __NSOQSchedule*
      -[NSOperation start]
      -[NSBlockOperation main]
      swift_job_run*
      swift::runJobInEstablishedExecutorContext*
      swift::*::run*Executor*
      swift_task_*
      swift::swift_task_*
      swift::AsyncTask::*
      completeTask*
      completeTaskWithClosure*
      (anonymous namespace)::ProcessOutOfLineJob::*
      thunk for @escaping @callee_guaranteed @Sendable @async*
      swift_async_main
      asyncMainDrainQueue*
      swift_task_asyncMainDrainQueue*
      # event loops
      g_main_loop_run
      g_main_context_iterate*
      g_main_context_dispatch*
      g_main_dispatch
      g_main_context_run
      g_main_run
      g_application_run
      g_application_activate
      g_thread_proxy
      g_thread_pool_thread_proxy
      g_thread_create_proxy
      g_timeout_dispatch
      g_idle_dispatch
      g_source_callback_*
      gtk_main
      gtk_main_iteration*
      gtk_dialog_run
      gdk_event_dispatch
      gdk_event_source_dispatch
      gdk_threads_dispatch
      gdk_event_apply_filters
      gdk_x_event_source_dispatch
      bonobo_main
      gnome_*_main  bottom
      Glib::MainLoop::run
      Glib::MainContext::*
      Glib::Source::dispatch_vfunc
      Glib::Source::*
      Glib::IOSource::*
      Glib::TimeoutSource::*
      Gtk::Main::run
      Gtk::Main::*
      Gio::Application::run
      QCoreApplication::exec
      QGuiApplication::exec
      QApplication::exec
      QEventLoop::exec
      QEventLoop::processEvents
      QEventDispatcher*
      QAbstractEventDispatcher*
      QThread::run
      QThread::exec
      QThreadPrivate::*
      QThreadPoolThread::run
      QCoreApplication::notify*
      QCoreApplicationPrivate::*
      QApplication::notify
      QApplicationPrivate::notify_helper
      QGuiApplicationPrivate::*
      QWindowSystemInterface::*
      uv_run
      uv__run_*
      uv__io_poll
      node::SpinEventLoop*
      node::Start*
      node::NodeMainInstance::*
      event_base_loop
      event_base_dispatch
      ev_run
      wl_event_loop_dispatch
      base::RunLoop::*
      base::MessagePump*
      base::MessageLoop*
      base::Thread::*
      base::internal::WorkerThread*
      base::sequence_manager::*
      base::TaskAnnotator::*
      base::(anonymous namespace)::ThreadFunc
      content::ContentMain*
      content::RunBrowser*
      ChromeMain
      DispatchMessage*
      DispatchMessageWorker
      UserCallWinProcCheckWow
      UserCallDlgProcCheckWow
      InternalCallWinProc
      CallWindowProc*
      _InternalCallWinProc
      DispatchClientMessage
      __fnDWORD
      __fnINLPCREATESTRUCT
      NtCallbackReturn
      KiUserCallbackDispatcher*
      TppWorkerThread
      TppWorkpExecute
      TppCallback*
      TppTimerpExecuteCallback
      TppSimplepExecuteCallback
      # fuzzers and sanitizers
      LLVMFuzzerTestOneInput  entry
      LLVMFuzzerInitialize
      LLVMFuzzerRunDriver
      fuzzer::Fuzzer::*
      fuzzer::RunOneTest
      fuzzer::FuzzerDriver
      HonggfuzzMain
      StandaloneFuzzTargetMain*
      asan_thread_start
      __tsan_thread_start_func
      # C++ and Rust threads and entry
      std::thread::_Invoker<T>::*
      std::thread::_State_impl<T>::*
      std::thread::_Impl<T>::*
      std::__thread_proxy*
      std::__thread_execute*
      std::__invoke*
      execute_native_thread_routine*
      boost::(anonymous namespace)::thread_proxy
      boost::detail::thread_data<T>::run
      thread_proxy
      std::rt::*
      std::thread::Builder*
      std::thread::spawnhook*
      std::sys::*::thread::*
      std::sys::thread::*
      std::sys_common::backtrace::__rust_begin_short_backtrace*
      std::sys::backtrace::__rust_begin_short_backtrace*
      std::panic::catch_unwind*
      std::panicking::try*
      std::panicking::catch_unwind*
      __rust_try
      __rust_maybe_catch_panic
      test::run_test*
      test::assert_test_result
      test::__rust_begin_short_backtrace
      test::types::*
      tokio::runtime::*
      rayon_core::*
      futures_executor::*
      # test runners
      testing::Test::Run
      testing::TestInfo::Run
      testing::TestCase::Run
      testing::TestSuite::Run
      testing::UnitTest::Run
      testing::internal::*
      RUN_ALL_TESTS
      Catch::*
      XCTMain*
      XCTest.*
      -[XCTestCase *
      -[XCTest*
      +[XCTest*
      __XCT*
      -[XCTTest*
      Testing.*
      org.junit.*
      junit.framework.*
      junit.textui.*
      org.testng.*
      org.apache.tools.ant.*
      org.apache.maven.surefire.*
      org.gradle.*
      worker.org.gradle.*
      com.intellij.rt.*
      org.eclipse.jdt.internal.junit*
      androidx.test.*
      android.test.*
      android.support.test.*
      org.robolectric.*
      scala.tools.nsc.MainGenericRunner*
      sbt.*
      # Java and Kotlin threads
      java.lang.Thread.run*
      java.lang.VirtualThread.run*
      java.lang.Thread.*
      java.util.concurrent.ThreadPoolExecutor*
      java.util.concurrent.FutureTask*
      java.util.concurrent.Executors$*
      java.util.concurrent.ForkJoin*
      java.util.concurrent.ScheduledThreadPoolExecutor*
      java.util.TimerThread*
      android.os.Handler.*
      android.os.HandlerThread.run
      android.os.Looper.*
      android.os.AsyncTask*
      android.app.ActivityThread*
      android.app.Instrumentation.*
      com.android.internal.os.*
      dalvik.system.NativeStart.main
      kotlinx.coroutines.scheduling.*
      kotlinx.coroutines.DispatchedTask.run
      kotlinx.coroutines.EventLoop*
      kotlinx.coroutines.BlockingCoroutine*
      kotlinx.coroutines.BuildersKt*
      javax.swing.SwingUtilities.*
      java.awt.EventQueue*
      java.awt.EventDispatchThread*
      java.awt.event.InvocationEvent*
      org.apache.catalina.*
      org.apache.coyote.*
      org.apache.tomcat.*
      org.eclipse.jetty.*
      io.netty.util.concurrent.*
      io.netty.channel.nio.*
      io.undertow.*
      jakarta.servlet.*
      javax.servlet.*
      # .NET, Go, JavaScript
      System.Threading.*
      System.Windows.Forms.Application.*
      System.Windows.Threading.*
      System.Windows.Application.*
      MS.Internal.*
      MS.Win32.*
      Microsoft.AspNetCore.*
      Microsoft.Extensions.Hosting.*
      Android.Runtime.JNINativeWrapper.*
      Xamarin.*
      UIKit.UIApplication.Main*
      runtime.main
      runtime.goexit*
      runtime.mstart*
      runtime.mcall
      runtime.asmcgocall*
      runtime.rt0_go*
      net/http.(*conn).serve
      net/http.serverHandler.ServeHTTP
      testing.tRunner*
      testing.(*T).*
      processTicksAndRejections
      process.processTicksAndRejections
      node:internal*
      Module._compile
      Module.load
      Module._load
      """)
}
