! SPDX-License-Identifier: BSD-3-Clause
!> A tracer that a steady wind carries through a periodic box: slabs along z, one for each rank.
!!
!!     mpirun -n 2 advect insitu.json 100        (configuration, steps)
!! Documentation/couple-fortran.md goes through it.
program advect
  use mpi_f08
  use rivulet_insitu
  implicit none
  integer, parameter :: n = 48                                          ! cells along each axis
  real(c_double), parameter :: wind(3) = [0.4_c_double, 0.2_c_double, 0.1_c_double] ! cells in a step
  character(len=1000) :: argument
  character(len=7, kind=c_char), target :: field_name = "cloud" // c_null_char
  character(len=7, kind=c_char), target :: variable_name = "tracer" // c_null_char
  real(c_double), allocatable, target :: tracer(:, :, :)                ! with one ghost layer below and above
  type(c_ptr) :: insitu
  integer(c_int64_t) :: step
  integer :: rank, ranks, level, first, layers, steps

  call mpi_init_thread(mpi_thread_multiple, level)
  call mpi_comm_rank(mpi_comm_world, rank)
  call mpi_comm_size(mpi_comm_world, ranks)
  call get_command_argument(2, argument)
  read (argument, *) steps
  first = n * rank / ranks                                              ! counted from 0
  layers = n * (rank + 1) / ranks - first
  allocate (tracer(n, n, 0:layers + 1))
  call start()
  call get_command_argument(1, argument)
  if (rivulet_insitu_initialize(trim(argument) // c_null_char, mpi_comm_world%mpi_val, insitu) /= rivulet_ok) &
    print *, "advect: no analytics: ", rivulet_insitu_text(insitu)
  do step = 0, steps - 1
    call exchange()
    call carry()
    if (rivulet_insitu_wants(insitu, step) == 1) call show()
  end do
  if (rivulet_insitu_finalize(insitu) /= rivulet_ok) print *, "advect: analytics did not end"
  call mpi_finalize()

contains

  subroutine show()
    type(rivulet_field) :: field
    type(rivulet_block), target :: block(1)
    type(rivulet_variable), target :: variable(1)
    type(c_ptr), target :: values(1)
    integer(c_int64_t), target :: sizes(1)
    integer(c_int) :: code
    call exchange()                                                     ! ghosts as new as the rest
    variable(1) = rivulet_variable(c_loc(variable_name), rivulet_float64, 1)
    values(1) = c_loc(tracer)
    sizes(1) = size(tracer, kind=c_int64_t)
    block(1) = rivulet_block(begin=[0, 0, first], cells=[n, n, layers], ghosts=[0, 0, 1], data=c_loc(values), &
      size=c_loc(sizes))
    field = rivulet_field(name=c_loc(field_name), centring=rivulet_cells, cells=[n, n, n], variables=1, &
      variable=c_loc(variable), blocks=1, block=c_loc(block))
    code = rivulet_insitu_publish_field(insitu, field)
    code = rivulet_insitu_execute(insitu, step, real(step, c_double))
  end subroutine

  subroutine start()
    integer :: i, j, k
    do concurrent (k = 1:layers, j = 1:n, i = 1:n)
      tracer(i, j, k) = exp(-0.02_c_double * ((i - 0.3 * n)**2 + (j - 0.3 * n)**2 + (first + k - 0.5 * n)**2))
    end do
  end subroutine

  subroutine exchange() ! ghost layers
    integer :: below, above
    below = modulo(rank - 1, ranks)
    above = modulo(rank + 1, ranks)
    call mpi_sendrecv(tracer(:, :, 1), n * n, mpi_double_precision, below, 0, &
      tracer(:, :, layers + 1), n * n, mpi_double_precision, above, 0, mpi_comm_world, mpi_status_ignore)
    call mpi_sendrecv(tracer(:, :, layers), n * n, mpi_double_precision, above, 1, &
      tracer(:, :, 0), n * n, mpi_double_precision, below, 1, mpi_comm_world, mpi_status_ignore)
  end subroutine

  subroutine carry() ! upwind, of first order
    real(c_double), allocatable :: new(:, :, :)
    integer :: i, j, k
    allocate (new(n, n, layers))
    do k = 1, layers
      do j = 1, n
        do i = 1, n
          new(i, j, k) = tracer(i, j, k) - wind(1) * (tracer(i, j, k) - tracer(modulo(i - 2, n) + 1, j, k)) &
            - wind(2) * (tracer(i, j, k) - tracer(i, modulo(j - 2, n) + 1, k)) &
            - wind(3) * (tracer(i, j, k) - tracer(i, j, k - 1))
        end do
      end do
    end do
    tracer(:, :, 1:layers) = new
  end subroutine
end program
